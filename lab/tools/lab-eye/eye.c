// lab-eye CARD OUTPUT: a camera that looks at a display. It writes what the display shows to vivid's output node, so that the capture node of the
// same loop gives it as a camera would: in NV12 without colour. Pictures of another size than the loop's are ignored. It runs until it is killed.
// Exit status 1 when the display shows nothing, or the loop would not run.
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "drm.h"

enum { buffers = 2, most_crtcs = 8, most_pictures = 16 };

struct picture {
  uint32_t framebuffer, pitch, width, height;
  const uint8_t *pixels;
};

static int card, node;
static struct picture pictures[most_pictures];
static unsigned known;
static uint8_t *frames[buffers];
static struct v4l2_pix_format layout;

static void request(int descriptor, unsigned long number, void *argument, const char *name) {
  if (ioctl(descriptor, number, argument) < 0)
    fail("%s: %s is refused: %s; name a card of lab/run --display and the output node of a camera vivid-loop",
         path_of(descriptor), name, strerrorname_np(errno));
}
#define REQUEST(descriptor, number, argument) request(descriptor, number, argument, #number)

/// Returns the CRTC that shows a picture. Waits up to five seconds for one.
static uint32_t lit_crtc(void) {
  for (int attempt = 0; attempt < 500; attempt++, poll(NULL, 0, 10)) {
    uint32_t crtcs[most_crtcs];
    struct drm_mode_card_res resources = {.crtc_id_ptr = (uintptr_t)crtcs, .count_crtcs = most_crtcs};
    REQUEST(card, DRM_IOCTL_MODE_GETRESOURCES, &resources);
    for (unsigned i = 0; i < resources.count_crtcs && i < most_crtcs; i++) {
      struct drm_mode_crtc crtc = {.crtc_id = crtcs[i]};
      REQUEST(card, DRM_IOCTL_MODE_GETCRTC, &crtc);
      if (crtc.fb_id) return crtcs[i];
    }
  }
  fail("%s has shown no picture for five seconds; show one first, for example with swiftwing view --display", path_of(card));
}

/// Maps the memory of a picture, once for each picture; only root may map that of another program.
static const struct picture *picture_of(uint32_t framebuffer) {
  for (unsigned i = 0; i < known; i++)
    if (pictures[i].framebuffer == framebuffer) return &pictures[i];
  struct drm_mode_fb_cmd facts = {.fb_id = framebuffer};
  struct drm_mode_map_dumb map = {0};
  if (ioctl(card, DRM_IOCTL_MODE_GETFB, &facts) < 0 || facts.bpp != 32 || known == most_pictures) return NULL;
  map.handle = facts.handle;
  REQUEST(card, DRM_IOCTL_MODE_MAP_DUMB, &map);
  void *pixels = mmap(NULL, (size_t)facts.pitch * facts.height, PROT_READ, MAP_SHARED, card, (off_t)map.offset);
  if (pixels == MAP_FAILED)
    fail("a picture of %s cannot be mapped: %s; run this as root, or give lab/run more --memory", path_of(card), strerror(errno));
  pictures[known] = (struct picture){framebuffer, facts.pitch, facts.width, facts.height, pixels};
  return &pictures[known++];
}

static void open_output(const char *path) {
  struct v4l2_format format = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT};
  struct v4l2_requestbuffers wanted = {.count = buffers, .type = format.type, .memory = V4L2_MEMORY_MMAP};
  node = open(path, O_RDWR | O_CLOEXEC);
  if (node < 0) fail("%s cannot be opened: %s; inside the lab, name the output node of a camera vivid-loop", path, strerror(errno));
  REQUEST(node, VIDIOC_G_FMT, &format);
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_NV12;
  format.fmt.pix.bytesperline = 0;
  REQUEST(node, VIDIOC_S_FMT, &format);
  layout = format.fmt.pix;
  REQUEST(node, VIDIOC_REQBUFS, &wanted);
  if (layout.pixelformat != V4L2_PIX_FMT_NV12 || wanted.count != buffers)
    fail("%s does not take two buffers of NV12; name the output node of a camera vivid-loop", path);
  for (unsigned i = 0; i < buffers; i++) {
    struct v4l2_buffer buffer = {.type = format.type, .memory = V4L2_MEMORY_MMAP, .index = i};
    REQUEST(node, VIDIOC_QUERYBUF, &buffer);
    frames[i] = mmap(NULL, layout.sizeimage, PROT_READ | PROT_WRITE, MAP_SHARED, node, buffer.m.offset);
    if (frames[i] == MAP_FAILED) fail("a buffer of %s cannot be mapped: %s; give lab/run more --memory", path, strerror(errno));
    memset(frames[i], 128, layout.sizeimage);
  }
}

/// Uses green as luma, because green contributes most to luma. Black and white stay as they are.
static void look(const struct picture *picture, uint8_t *frame) {
  for (uint32_t y = 0; y < layout.height; y++) {
    const uint32_t *from = (const uint32_t *)(const void *)(picture->pixels + (size_t)y * picture->pitch);
    uint8_t *to = frame + (size_t)y * layout.bytesperline;
    for (uint32_t x = 0; x < layout.width; x++) to[x] = (uint8_t)(16 + (from[x] >> 8 & 0xFF) * 219 / 255);
  }
}

static void write_frame(unsigned index, uint32_t crtc) {
  struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP, .index = index, .field = V4L2_FIELD_NONE, .bytesused = layout.sizeimage};
  struct drm_mode_crtc shown = {.crtc_id = crtc};
  REQUEST(card, DRM_IOCTL_MODE_GETCRTC, &shown);
  const struct picture *picture = shown.fb_id ? picture_of(shown.fb_id) : NULL;
  // The kernel's console has another size, and is ignored.
  if (picture && picture->width == layout.width && picture->height == layout.height) look(picture, frames[index]);
  REQUEST(node, VIDIOC_QBUF, &buffer);
}

int main(int count, char **words) {
  if (count != 3) fail("usage: lab-eye CARD OUTPUT");
  card = open(words[1], O_RDWR | O_CLOEXEC);
  if (card < 0) fail("%s cannot be opened: %s; inside a lab of lab/run --display, name its card", words[1], strerror(errno));
  // The first program that opens the card becomes its master, the only one that may show pictures. This program must not be the master.
  ioctl(card, DRM_IOCTL_DROP_MASTER, NULL);
  open_output(words[2]);
  uint32_t crtc = lit_crtc();
  for (unsigned i = 0; i < buffers; i++) write_frame(i, crtc);
  REQUEST(node, VIDIOC_STREAMON, (int[]){V4L2_BUF_TYPE_VIDEO_OUTPUT});
  for (;;) {
    struct v4l2_buffer buffer = {.type = V4L2_BUF_TYPE_VIDEO_OUTPUT, .memory = V4L2_MEMORY_MMAP};
    if (ioctl(node, VIDIOC_DQBUF, &buffer) < 0)
      fail("%s gives no more buffers: %s; plug its camera in again with lab-ctl NAME replug",
           path_of(node), strerrorname_np(errno));
    write_frame(buffer.index, crtc);
  }
}
