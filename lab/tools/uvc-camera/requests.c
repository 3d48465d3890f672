// Requests on the control endpoint: the standard requests of USB 2.0, chapter 9, and UVC 1.1's probe, commit and unit requests.
#include <errno.h>
#include <linux/usb/ch9.h>
#include <linux/usb/video.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"

/// A control request, from its eight setup bytes.
struct request {
  uint8_t type, number;
  uint16_t value, index, length;
};

/// The answer to a request: its number of bytes, or −1 for "not supported".
typedef int answer;

static uint32_t read32(const uint8_t *place) { return place[0] | place[1] << 8 | place[2] << 16 | (uint32_t)place[3] << 24; }
static void write32(uint8_t *place, uint32_t value) {
  for (int i = 0; i < 4; i++) place[i] = (uint8_t)(value >> 8 * i);
}

const struct film_stream *chosen_stream(const struct camera *camera, const struct choice *choice) {
  return camera->formats[choice->format].streams[choice->stream];
}

uint32_t frame_size(const struct film_stream *stream) {
  uint32_t size = stream->width * stream->height * 2;
  return size > stream->largest ? size : stream->largest;
}

static int string_descriptor(const char *text, uint8_t *reply) {
  int length = 2;
  for (; *text && length < 126; text++) {
    reply[length++] = (uint8_t)*text;
    reply[length++] = 0;
  }
  reply[0] = (uint8_t)length;
  reply[1] = USB_DT_STRING;
  return length;
}

static answer descriptor(const struct camera *camera, uint16_t value, uint8_t *reply) {
  // The vendor 1d6b is the Linux Foundation, as for the kernel's own gadgets. The strings are 1 manufacturer, 2 product, 3 serial
  // number.
  static const uint8_t device[18] = {18, USB_DT_DEVICE, 0x00, 0x02, USB_CLASS_MISC, 2, 1, 64, 0x6b, 0x1d, 0x02, 0x01, 0x00, 0x01, 1, 2, 3, 1};
  static const uint8_t languages[4] = {4, USB_DT_STRING, 0x09, 0x04};
  switch (value >> 8) {
    case USB_DT_DEVICE: memcpy(reply, device, sizeof device); return sizeof device;
    case USB_DT_CONFIG: memcpy(reply, camera->configuration, (size_t)camera->configuration_length); return camera->configuration_length;
    case USB_DT_STRING: break;
    default: return -1;
  }
  switch (value & 0xff) {
    case 0: memcpy(reply, languages, sizeof languages); return sizeof languages;
    case 1: return string_descriptor("SwiftWing", reply);
    case 2: return string_descriptor("Lab Camera", reply);
    case 3: return string_descriptor(camera->serial, reply);
    default: return -1;
  }
}

static answer standard_request(struct camera *camera, const struct request *request, uint8_t *reply) {
  switch (request->number) {
    case USB_REQ_GET_DESCRIPTOR: return descriptor(camera, request->value, reply);
    case USB_REQ_GET_STATUS: return 2;
    case USB_REQ_GET_CONFIGURATION: reply[0] = 1; return 1;
    case USB_REQ_GET_INTERFACE: reply[0] = (uint8_t)(request->index == 1 ? camera->alternate : 0); return 1;
    case USB_REQ_SET_INTERFACE:
      if (request->index == 1) {
        camera->alternate = request->value;
        if (camera->alternate == 0 && !camera->bulk) stop_stream(camera);
      }
      return 0;
    case USB_REQ_CLEAR_FEATURE:
      // uvcvideo ends a bulk stream by clearing the halt of the endpoint.
      if (camera->bulk && (request->type & USB_RECIP_MASK) == USB_RECIP_ENDPOINT) {
        camera->committed = false;
        stop_stream(camera);
      }
      return 0;
    case USB_REQ_SET_CONFIGURATION:
    case USB_REQ_SET_FEATURE: return 0;
    default: return -1;
  }
}

/// The choice for the host's request: bFormatIndex and bFrameIndex if they exist, else the first, and the interval nearest to dwFrameInterval.
static struct choice choice_of(const struct camera *camera, const uint8_t *bytes) {
  struct choice choice = {0};
  if (bytes[2] >= 1 && bytes[2] <= camera->format_count) choice.format = bytes[2] - 1;
  if (bytes[3] >= 1 && bytes[3] <= camera->formats[choice.format].stream_count) choice.stream = bytes[3] - 1;
  const struct film_stream *stream = chosen_stream(camera, &choice);
  uint32_t wanted = read32(bytes + 4);
  choice.interval = stream->intervals[0];
  for (uint32_t i = 1; i < stream->interval_count; i++)
    if (llabs((long long)stream->intervals[i] - wanted) < llabs((long long)choice.interval - wanted)) choice.interval = stream->intervals[i];
  return choice;
}

/// Writes a probe or commit control as in UVC 1.1, table 4-47.
static void write_choice(const struct camera *camera, const struct choice *choice, uint8_t *reply) {
  const struct film_stream *stream = chosen_stream(camera, choice);
  uint32_t size = frame_size(stream);
  memset(reply, 0, control_length);
  reply[2] = (uint8_t)(choice->format + 1);
  reply[3] = (uint8_t)(choice->stream + 1);
  write32(reply + 4, choice->interval);
  write32(reply + 18, size);
  write32(reply + 22, camera->bulk ? size + 2 : iso_payload);
  write32(reply + 26, 48000000);
  reply[30] = 3;
  reply[31] = reply[32] = reply[33] = 1;
}

static answer streaming_request(struct camera *camera, const struct request *request, const struct transfer *transfer, uint8_t *reply) {
  int selector = request->value >> 8;
  if (selector != UVC_VS_PROBE_CONTROL && selector != UVC_VS_COMMIT_CONTROL) return -1;
  struct choice *current = selector == UVC_VS_PROBE_CONTROL ? &camera->probe : &camera->commit;
  uint8_t bytes[control_length] = {0};
  switch (request->number) {
    case UVC_SET_CUR:
      memcpy(bytes, transfer->data, transfer->length < sizeof bytes ? transfer->length : sizeof bytes);
      *current = choice_of(camera, bytes);
      if (selector == UVC_VS_COMMIT_CONTROL) {
        camera->committed = true;
        start_controls(&camera->controls);
      }
      return 0;
    case UVC_GET_CUR: write_choice(camera, current, reply); return control_length;
    case UVC_GET_MIN:
    case UVC_GET_MAX:
    case UVC_GET_DEF: {
      struct choice first = choice_of(camera, bytes);
      write_choice(camera, &first, reply);
      return control_length;
    }
    case UVC_GET_LEN: reply[0] = control_length; return 2;
    case UVC_GET_INFO: reply[0] = 3; return 1;
    default: return -1;
  }
}

/// Requests to the units, and to the interface itself, which reports why the last request was stalled.
static answer unit_request(struct camera *camera, const struct request *request, const struct transfer *transfer, uint8_t *reply) {
  uint8_t entity = request->index >> 8, selector = request->value >> 8;
  if (entity != 0) return answer_control_request(&camera->controls, entity, selector, request->number, transfer->data, transfer->length, reply);
  if (selector != UVC_VC_REQUEST_ERROR_CODE_CONTROL) return -1;
  switch (request->number) {
    case UVC_GET_CUR: reply[0] = (uint8_t)camera->controls.error; return 1;
    case UVC_GET_LEN: reply[0] = 1; return 2;
    case UVC_GET_INFO: reply[0] = 1; return 1;
    default: return -1;
  }
}

void answer_control(struct camera *camera, struct transfer *transfer) {
  const uint8_t *setup = transfer->setup;
  struct request request = {setup[0], setup[1], (uint16_t)(setup[2] | setup[3] << 8), (uint16_t)(setup[4] | setup[5] << 8),
                            (uint16_t)(setup[6] | setup[7] << 8)};
  uint8_t reply[1024] = {0};
  answer length = -1;
  int interface = request.index & 0xff;
  bool complete = transfer->to_host || request.number != UVC_SET_CUR || transfer->data;
  if ((request.type & USB_TYPE_MASK) == USB_TYPE_STANDARD) length = standard_request(camera, &request, reply);
  else if (complete && interface == 1) length = streaming_request(camera, &request, transfer, reply);
  else if (complete && interface == 0) length = unit_request(camera, &request, transfer, reply);

  if (length < 0) answer_transfer(camera->connection, transfer, -EPIPE, NULL, 0);
  else if (!transfer->to_host) answer_transfer(camera->connection, transfer, 0, NULL, request.length);
  else answer_transfer(camera->connection, transfer, 0, reply, length < request.length ? (uint32_t)length : request.length);
  free_transfer(transfer);
}
