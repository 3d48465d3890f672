// The USB descriptors of the camera: USB Video Class 1.1, one camera terminal, one processing unit, one output terminal, and one
// streaming interface with the formats of the film.
#include <assert.h>
#include <linux/usb/ch9.h>
#include <linux/usb/video.h>
#include <string.h>

#include "camera.h"

#define low(x) (uint8_t)(x), (uint8_t)((uint32_t)(x) >> 8)
#define four(x) (uint8_t)(x), (uint8_t)((uint32_t)(x) >> 8), (uint8_t)((uint32_t)(x) >> 16), (uint8_t)((uint32_t)(x) >> 24)
#define add(...)                                    \
  do {                                              \
    const uint8_t bytes[] = {__VA_ARGS__};          \
    add_bytes(camera, bytes, sizeof bytes);         \
  } while (0)

enum { clock_rate = 48000000, endpoint_in = 0x80 | streaming_endpoint };

static void add_bytes(struct camera *camera, const uint8_t *bytes, size_t count) {
  assert((size_t)camera->configuration_length + count <= sizeof camera->configuration);
  memcpy(camera->configuration + camera->configuration_length, bytes, count);
  camera->configuration_length += (int)count;
}

/// Writes the length from start to the present end into the two bytes at place.
static void set_total(struct camera *camera, int start, int place) {
  int total = camera->configuration_length - start;
  camera->configuration[place] = (uint8_t)total;
  camera->configuration[place + 1] = (uint8_t)(total >> 8);
}

static void add_control_interface(struct camera *camera) {
  add(9, USB_DT_INTERFACE, 0, 0, 1, USB_CLASS_VIDEO, UVC_SC_VIDEOCONTROL, 0, 2);
  int start = camera->configuration_length;
  add(13, USB_DT_CS_INTERFACE, UVC_VC_HEADER, low(0x0110), low(0), four(clock_rate), 1, 1);
  uint32_t lens = control_bits(camera_terminal), picture = control_bits(processing_unit);
  // The range of the zoom: objective focal lengths 1 to 4 over an ocular one of 1.
  add(18, USB_DT_CS_INTERFACE, UVC_VC_INPUT_TERMINAL, camera_terminal, low(UVC_ITT_CAMERA), 0, 0, low(1), low(4), low(1), 3, low(lens), (uint8_t)(lens >> 16));
  add(12, USB_DT_CS_INTERFACE, UVC_VC_PROCESSING_UNIT, processing_unit, camera_terminal, low(0), 2, low(picture), 0, 0);
  add(9, USB_DT_CS_INTERFACE, UVC_VC_OUTPUT_TERMINAL, output_terminal, low(UVC_TT_STREAMING), 0, processing_unit, 0);
  set_total(camera, start, start + 5);
  // The status endpoint, by which the host gets changes; polled every 2⁷ microframes.
  add(7, USB_DT_ENDPOINT, 0x80 | status_endpoint, USB_ENDPOINT_XFER_INT, low(status_length), 8);
  add(5, USB_DT_CS_ENDPOINT, UVC_EP_INTERRUPT, low(status_length));
}

static void add_format(struct camera *camera, int number) {
  const struct format *format = &camera->formats[number];
  bool mjpeg = strcmp(format->fourcc, "MJPG") == 0;
  if (mjpeg) {
    add(11, USB_DT_CS_INTERFACE, UVC_VS_FORMAT_MJPEG, number + 1, format->stream_count, 1, 1, 0, 0, 0, 0);
  } else {
    add(27, USB_DT_CS_INTERFACE, UVC_VS_FORMAT_UNCOMPRESSED, number + 1, format->stream_count,
        'Y', 'U', 'Y', '2', 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71, 16, 1, 0, 0, 0, 0);
  }
  for (int i = 0; i < format->stream_count; i++) {
    const struct film_stream *stream = format->streams[i];
    uint32_t count = stream->interval_count, size = stream->width * stream->height * 2;
    uint32_t rate = size * 8 / (stream->intervals[0] ? stream->intervals[0] : 1) * 10000000;
    add(26 + 4 * count, USB_DT_CS_INTERFACE, mjpeg ? UVC_VS_FRAME_MJPEG : UVC_VS_FRAME_UNCOMPRESSED, i + 1, 0, low(stream->width),
        low(stream->height), four(rate / 4), four(rate), four(size), four(stream->intervals[0]), count);
    for (uint32_t k = 0; k < count; k++) add(four(stream->intervals[k]));
  }
  add(6, USB_DT_CS_INTERFACE, UVC_VS_COLORFORMAT, 1, 1, 4);  // BT.709 primaries and transfer, BT.601 matrix, as JPEG has it
}

static void add_streaming_interface(struct camera *camera) {
  add(9, USB_DT_INTERFACE, 1, 0, camera->bulk ? 1 : 0, USB_CLASS_VIDEO, UVC_SC_VIDEOSTREAMING, 0, 0);
  int start = camera->configuration_length;
  add(13 + camera->format_count, USB_DT_CS_INTERFACE, UVC_VS_INPUT_HEADER, camera->format_count, low(0), endpoint_in, 0, output_terminal,
      0, 0, 0, 1);
  for (int i = 0; i < camera->format_count; i++) add(0);
  for (int i = 0; i < camera->format_count; i++) add_format(camera, i);
  set_total(camera, start, start + 4);
  if (camera->bulk) {
    add(7, USB_DT_ENDPOINT, endpoint_in, USB_ENDPOINT_XFER_BULK, low(512), 0);
    return;
  }
  add(9, USB_DT_INTERFACE, 1, 1, 1, USB_CLASS_VIDEO, UVC_SC_VIDEOSTREAMING, 0, 0);
  add(7, USB_DT_ENDPOINT, endpoint_in, USB_ENDPOINT_XFER_ISOC | USB_ENDPOINT_SYNC_ASYNC, low(0x1400), 1);  // 3 × 1024 a microframe
}

void describe(struct camera *camera) {
  camera->configuration_length = 0;
  add(9, USB_DT_CONFIG, 0, 0, 2, 1, 0, USB_CONFIG_ATT_ONE, 250);
  add(8, USB_DT_INTERFACE_ASSOCIATION, 0, 2, USB_CLASS_VIDEO, UVC_SC_VIDEO_INTERFACE_COLLECTION, 0, 2);
  add_control_interface(camera);
  add_streaming_interface(camera);
  set_total(camera, 0, 2);
}
