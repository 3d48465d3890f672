// The needed parts of the kernel's <drm/drm_mode.h>, which Debian has only in packages of a desktop.
#pragma once
#include <stdint.h>
#include <sys/ioctl.h>

struct drm_mode_card_res {
  uint64_t fb_id_ptr, crtc_id_ptr, connector_id_ptr, encoder_id_ptr;
  uint32_t count_fbs, count_crtcs, count_connectors, count_encoders;
  uint32_t min_width, max_width, min_height, max_height;
};
struct drm_mode_crtc {
  uint64_t set_connectors_ptr;
  uint32_t count_connectors, crtc_id, fb_id, x, y, gamma_size, mode_valid;
  uint8_t mode[68];
};
struct drm_mode_fb_cmd { uint32_t fb_id, width, height, pitch, bpp, depth, handle; };
struct drm_mode_map_dumb { uint32_t handle, pad; uint64_t offset; };

_Static_assert(sizeof(struct drm_mode_card_res) == 64 && sizeof(struct drm_mode_crtc) == 104, "as in the kernel");

#define DRM_IOCTL_DROP_MASTER _IO('d', 0x1f)
#define DRM_IOCTL_MODE_GETRESOURCES _IOWR('d', 0xA0, struct drm_mode_card_res)
#define DRM_IOCTL_MODE_GETCRTC _IOWR('d', 0xA1, struct drm_mode_crtc)
#define DRM_IOCTL_MODE_GETFB _IOWR('d', 0xAD, struct drm_mode_fb_cmd)
#define DRM_IOCTL_MODE_MAP_DUMB _IOWR('d', 0xB3, struct drm_mode_map_dumb)
