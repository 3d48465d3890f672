// The C interface to the kernel's mode setting (DRM/KMS). Debian has these headers only in libdrm-dev. Few structures are needed, and their layouts
// are a stable part of the kernel's interface, so they are declared in CDRM.c (Linux 6.1, include/uapi/drm/drm.h and drm_mode.h). Each request number
// contains the size of its structure, which decides how much the kernel copies.
#ifndef SWIFTWING_CDRM_H
#define SWIFTWING_CDRM_H

#include <stddef.h>
#include <stdint.h>

// Every function returns its result, or the negated errno.

/// `struct drm_mode_modeinfo`: clock in kHz, lengths in pixels and lines.
struct cdrm_mode {
  uint32_t clock;
  uint16_t hdisplay, hsync_start, hsync_end, htotal, hskew;
  uint16_t vdisplay, vsync_start, vsync_end, vtotal, vscan;
  uint32_t vrefresh, flags, type;
  char name[32];
};

/// The scanout of a CRTC: `struct drm_mode_crtc` without its connectors.
struct cdrm_scanout {
  uint32_t framebuffer, x, y, has_mode;
  struct cdrm_mode mode;
};

struct cdrm_connector {
  uint32_t encoder, connection, mode_count, encoder_count;
};

/// A buffer of 32 bits a pixel, mapped, with its framebuffer in XRGB8888.
struct cdrm_buffer {
  uint32_t handle, framebuffer, bytes_per_row;
  uint64_t byte_count;
  void *base;
};

/// The layout of a picture of 32 bits a pixel (XRGB8888) in memory.
struct cdrm_layout {
  uint32_t width, height, bytes_per_row, offset;
};

/// One page flip that the kernel reports: the vblank's time on CLOCK_MONOTONIC, and its number.
struct cdrm_flip {
  uint64_t token;
  int64_t time_ns;
  uint32_t sequence;
};

int cdrm_open(const char *path);
void cdrm_close(int descriptor);
int cdrm_set_master(int descriptor);
int cdrm_drop_master(int descriptor);
int cdrm_capability(int descriptor, uint64_t capability, uint64_t *value);

/// The counts are capacities on entry, and numbers on return; -E2BIG if there are more than fit.
int cdrm_resources(int descriptor, uint32_t *crtcs, uint32_t *crtc_count, uint32_t *connectors, uint32_t *connector_count);
/// The two counts of `connector` are capacities on entry, and numbers on return; -E2BIG if there are more than fit.
int cdrm_connector_facts(int descriptor, uint32_t id, struct cdrm_connector *connector, struct cdrm_mode *modes, uint32_t *encoders);
/// Gets the mask of CRTCs, by their indices in the resources, that the encoder can use.
int cdrm_encoder(int descriptor, uint32_t id, uint32_t *crtc, uint32_t *possible);

int cdrm_get_scanout(int descriptor, uint32_t crtc, struct cdrm_scanout *scanout);
int cdrm_set_scanout(int descriptor, uint32_t crtc, uint32_t connector, const struct cdrm_scanout *scanout);

int cdrm_make_buffer(int descriptor, uint32_t width, uint32_t height, struct cdrm_buffer *buffer);
void cdrm_release_buffer(int descriptor, const struct cdrm_buffer *buffer);

/// Imports memory of another driver from the DMA-BUF `shared`. Each call for this memory gives the same handle, until the handle is closed.
int cdrm_import(int descriptor, int shared, uint32_t *handle);
/// Makes a framebuffer in XRGB8888 of the memory of `handle`, which was created or imported.
int cdrm_make_framebuffer(int descriptor, uint32_t handle, const struct cdrm_layout *layout, uint32_t *framebuffer);
void cdrm_remove_framebuffer(int descriptor, uint32_t framebuffer);
void cdrm_close_handle(int descriptor, uint32_t handle);

int cdrm_page_flip(int descriptor, uint32_t crtc, uint32_t framebuffer, uint64_t token);
/// Waits for flips; returns the number of entries in `flips`, 0 after the time-out.
int cdrm_flips(int descriptor, int timeout_ms, struct cdrm_flip *flips, uint32_t capacity);

#endif
