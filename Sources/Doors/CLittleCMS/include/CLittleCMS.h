// LittleCMS, loaded when a picture has a colour profile that is not sRGB's. A program without a dynamic linker, as the viewfinder is, has none.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct littlecms_api littlecms_api;
typedef struct littlecms_transform littlecms_transform;

// Its functions, for good; NULL with a clause in `reason`.
const littlecms_api *littlecms_load(char *reason, size_t capacity);

typedef enum {
  littlecms_grey,           // a byte a pixel in, and one out
  littlecms_bgra,           // the fourth byte stays
  littlecms_inverted_cmyk,  // BGRA out; the fourth byte becomes 255
} littlecms_pixels;

// From pixels of a profile to sRGB, by the perceptual intent. The profile may be anything: NULL where it is no sound one, or asks for more memory or steps than sound
// ones do.
littlecms_transform *littlecms_of_profile(const littlecms_api *api, const void *bytes, uint32_t count, littlecms_pixels pixels);
// From BGRA with white, red, green and blue at these x and y (eight numbers) and a curve that is a power, or sRGB's where `gamma` is 0.
littlecms_transform *littlecms_of_primaries(const littlecms_api *api, const double *places, double gamma);
void littlecms_apply(const littlecms_api *api, const littlecms_transform *transform, const void *from, void *to, uint32_t count);
void littlecms_close(const littlecms_api *api, littlecms_transform *transform);
