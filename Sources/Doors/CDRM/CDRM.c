#define _GNU_SOURCE
#include "CDRM.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct capability { uint64_t capability, value; };
struct resources {
  uint64_t framebuffers, crtcs, connectors, encoders;
  uint32_t framebuffer_count, crtc_count, connector_count, encoder_count;
  uint32_t min_width, max_width, min_height, max_height;
};
struct crtc {
  uint64_t connectors;
  uint32_t connector_count, id, framebuffer, x, y, gamma_size, has_mode;
  struct cdrm_mode mode;
};
struct encoder { uint32_t id, type, crtc, possible_crtcs, possible_clones; };
struct connector {
  uint64_t encoders, modes, properties, values;
  uint32_t mode_count, property_count, encoder_count;
  uint32_t encoder, id, type, type_id;
  uint32_t connection, width_mm, height_mm, subpixel, pad;
};
struct framebuffer {
  uint32_t id, width, height, pixel_format, flags;
  uint32_t handles[4], pitches[4], offsets[4];
  uint64_t modifiers[4];
};
struct page_flip { uint32_t crtc, framebuffer, flags, reserved; uint64_t token; };
struct create_dumb { uint32_t height, width, bits, flags, handle, pitch; uint64_t size; };
struct map_dumb { uint32_t handle, pad; uint64_t offset; };
struct destroy_dumb { uint32_t handle; };
struct prime_handle { uint32_t handle, flags; int32_t descriptor; };
struct gem_close { uint32_t handle, pad; };
struct event { uint32_t type, length; uint64_t token; uint32_t seconds, microseconds, sequence, crtc; };

_Static_assert(sizeof(struct cdrm_mode) == 68, "struct drm_mode_modeinfo is 68 bytes");
_Static_assert(sizeof(struct resources) == 64, "struct drm_mode_card_res is 64 bytes");
_Static_assert(sizeof(struct crtc) == 104, "struct drm_mode_crtc is 104 bytes");
_Static_assert(sizeof(struct encoder) == 20, "struct drm_mode_get_encoder is 20 bytes");
_Static_assert(sizeof(struct connector) == 80, "struct drm_mode_get_connector is 80 bytes");
_Static_assert(sizeof(struct framebuffer) == 104, "struct drm_mode_fb_cmd2 is 104 bytes");
_Static_assert(sizeof(struct page_flip) == 24, "struct drm_mode_crtc_page_flip is 24 bytes");
_Static_assert(sizeof(struct create_dumb) == 32, "struct drm_mode_create_dumb is 32 bytes");
_Static_assert(sizeof(struct prime_handle) == 12, "struct drm_prime_handle is 12 bytes");
_Static_assert(sizeof(struct gem_close) == 8, "struct drm_gem_close is 8 bytes");
_Static_assert(sizeof(struct event) == 32, "struct drm_event_vblank is 32 bytes");

#define DRM(number, type) _IOWR('d', number, type)
static const uint32_t xrgb8888 = 'X' | 'R' << 8 | '2' << 16 | '4' << 24;
static const uint32_t flip_event = 0x01, flip_complete = 0x02;

static int control(int descriptor, unsigned long request, void *argument) {
  int result;
  do result = ioctl(descriptor, request, argument);
  while (result < 0 && (errno == EINTR || errno == EAGAIN));
  return result < 0 ? -errno : 0;
}

int cdrm_open(const char *path) {
  int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

void cdrm_close(int descriptor) { close(descriptor); }
int cdrm_set_master(int descriptor) { return control(descriptor, _IO('d', 0x1e), NULL); }
int cdrm_drop_master(int descriptor) { return control(descriptor, _IO('d', 0x1f), NULL); }

int cdrm_capability(int descriptor, uint64_t capability, uint64_t *value) {
  struct capability asked = {capability, 0};
  int result = control(descriptor, DRM(0x0c, struct capability), &asked);
  *value = asked.value;
  return result;
}

int cdrm_resources(int descriptor, uint32_t *crtcs, uint32_t *crtc_count, uint32_t *connectors, uint32_t *connector_count) {
  struct resources asked = {
    .crtcs = (uintptr_t)crtcs, .connectors = (uintptr_t)connectors, .crtc_count = *crtc_count, .connector_count = *connector_count};
  int result = control(descriptor, DRM(0xa0, struct resources), &asked);
  if (result < 0) return result;
  if (asked.crtc_count > *crtc_count || asked.connector_count > *connector_count) return -E2BIG;
  *crtc_count = asked.crtc_count;
  *connector_count = asked.connector_count;
  return 0;
}

int cdrm_connector_facts(int descriptor, uint32_t id, struct cdrm_connector *connector, struct cdrm_mode *modes, uint32_t *encoders) {
  // If asked without room for modes, the driver detects the connected display again.
  struct connector probe = {.id = id};
  int result = control(descriptor, DRM(0xa7, struct connector), &probe);
  if (result < 0) return result;
  struct connector asked = {
    .id = id, .modes = (uintptr_t)modes, .encoders = (uintptr_t)encoders, .mode_count = connector->mode_count,
    .encoder_count = connector->encoder_count};
  result = control(descriptor, DRM(0xa7, struct connector), &asked);
  if (result < 0) return result;
  if (asked.mode_count > connector->mode_count || asked.encoder_count > connector->encoder_count) return -E2BIG;
  *connector = (struct cdrm_connector){asked.encoder, asked.connection, asked.mode_count, asked.encoder_count};
  return 0;
}

int cdrm_encoder(int descriptor, uint32_t id, uint32_t *crtc, uint32_t *possible) {
  struct encoder asked = {.id = id};
  int result = control(descriptor, DRM(0xa6, struct encoder), &asked);
  *crtc = asked.crtc;
  *possible = asked.possible_crtcs;
  return result;
}

int cdrm_get_scanout(int descriptor, uint32_t crtc, struct cdrm_scanout *scanout) {
  struct crtc asked = {.id = crtc};
  int result = control(descriptor, DRM(0xa1, struct crtc), &asked);
  *scanout = (struct cdrm_scanout){asked.framebuffer, asked.x, asked.y, asked.has_mode, asked.mode};
  return result;
}

int cdrm_set_scanout(int descriptor, uint32_t crtc, uint32_t connector, const struct cdrm_scanout *scanout) {
  struct crtc wanted = {.id = crtc};
  if (scanout->has_mode) {
    wanted.connectors = (uintptr_t)&connector;
    wanted.connector_count = 1;
    wanted.framebuffer = scanout->framebuffer;
    wanted.x = scanout->x;
    wanted.y = scanout->y;
    wanted.has_mode = 1;
    wanted.mode = scanout->mode;
  }
  return control(descriptor, DRM(0xa2, struct crtc), &wanted);
}

static void destroy(int descriptor, uint32_t handle) {
  struct destroy_dumb gone = {handle};
  control(descriptor, DRM(0xb4, struct destroy_dumb), &gone);
}

// Maps a created buffer, and makes a framebuffer of it.
static int dress(int descriptor, uint32_t width, uint32_t height, struct cdrm_buffer *buffer) {
  struct map_dumb place = {.handle = buffer->handle};
  int result = control(descriptor, DRM(0xb3, struct map_dumb), &place);
  if (result < 0) return result;
  void *base = mmap(NULL, buffer->byte_count, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, (off_t)place.offset);
  if (base == MAP_FAILED) return -errno;
  struct cdrm_layout layout = {width, height, buffer->bytes_per_row, 0};
  result = cdrm_make_framebuffer(descriptor, buffer->handle, &layout, &buffer->framebuffer);
  if (result < 0) {
    munmap(base, buffer->byte_count);
    return result;
  }
  buffer->base = base;
  return 0;
}

int cdrm_make_buffer(int descriptor, uint32_t width, uint32_t height, struct cdrm_buffer *buffer) {
  struct create_dumb made = {.width = width, .height = height, .bits = 32};
  int result = control(descriptor, DRM(0xb2, struct create_dumb), &made);
  if (result < 0) return result;
  *buffer = (struct cdrm_buffer){.handle = made.handle, .bytes_per_row = made.pitch, .byte_count = made.size};
  if (made.pitch / 4 < width || made.size / made.pitch < height) result = -EPROTO;
  if (result == 0) result = dress(descriptor, width, height, buffer);
  if (result < 0) destroy(descriptor, made.handle);
  return result;
}

void cdrm_release_buffer(int descriptor, const struct cdrm_buffer *buffer) {
  cdrm_remove_framebuffer(descriptor, buffer->framebuffer);
  munmap(buffer->base, buffer->byte_count);
  destroy(descriptor, buffer->handle);
}

int cdrm_import(int descriptor, int shared, uint32_t *handle) {
  struct prime_handle asked = {.descriptor = shared};
  int result = control(descriptor, DRM(0x2e, struct prime_handle), &asked);
  *handle = asked.handle;
  return result;
}

int cdrm_make_framebuffer(int descriptor, uint32_t handle, const struct cdrm_layout *layout, uint32_t *framebuffer) {
  struct framebuffer made = {
    .width = layout->width, .height = layout->height, .pixel_format = xrgb8888, .handles = {handle},
    .pitches = {layout->bytes_per_row}, .offsets = {layout->offset}};
  int result = control(descriptor, DRM(0xb8, struct framebuffer), &made);
  *framebuffer = made.id;
  return result;
}

void cdrm_remove_framebuffer(int descriptor, uint32_t framebuffer) {
  control(descriptor, DRM(0xaf, uint32_t), &framebuffer);
}

void cdrm_close_handle(int descriptor, uint32_t handle) {
  struct gem_close gone = {.handle = handle};
  control(descriptor, _IOW('d', 0x09, struct gem_close), &gone);
}

int cdrm_page_flip(int descriptor, uint32_t crtc, uint32_t framebuffer, uint64_t token) {
  struct page_flip wanted = {crtc, framebuffer, flip_event, 0, token};
  return control(descriptor, DRM(0xb0, struct page_flip), &wanted);
}

static int64_t milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// Waits for the whole time, even if signals interrupt it: no flip for so long means that the display has failed.
static int wait_for(struct pollfd *set, int timeout_ms) {
  const int64_t end = milliseconds() + timeout_ms;
  int ready, left = timeout_ms;
  while ((ready = poll(set, 1, left)) < 0 && errno == EINTR) {
    const int64_t rest = end - milliseconds();
    left = rest > 0 ? (int)rest : 0;
  }
  return ready;
}

int cdrm_flips(int descriptor, int timeout_ms, struct cdrm_flip *flips, uint32_t capacity) {
  struct pollfd set = {descriptor, POLLIN, 0};
  int ready = wait_for(&set, timeout_ms);
  if (ready < 0) return -errno;
  if (ready == 0) return 0;
  if (!(set.revents & POLLIN)) return -ENODEV;
  // The kernel writes only whole events; the buffer is aligned, since they are read as structures.
  _Alignas(struct event) char bytes[1024];
  ssize_t length = read(descriptor, bytes, sizeof bytes);
  if (length < 0) return errno == EAGAIN || errno == EINTR ? 0 : -errno;
  uint32_t count = 0;
  for (size_t at = 0; at + sizeof(struct event) <= (size_t)length && count < capacity;) {
    struct event one;
    memcpy(&one, bytes + at, sizeof one);
    if (one.length < 8 || one.length > (size_t)length - at) return -EPROTO;
    at += one.length;
    if (one.type != flip_complete || one.length < sizeof one) continue;
    flips[count++] = (struct cdrm_flip){
      one.token, (int64_t)one.seconds * 1000000000 + (int64_t)one.microseconds * 1000, one.sequence};
  }
  return (int)count;
}
