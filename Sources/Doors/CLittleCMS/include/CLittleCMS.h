// LittleCMS, loaded when a picture has a colour profile other than sRGB. It is not available in a program without a dynamic linker, such as the
// viewfinder.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct littlecms_api littlecms_api;
typedef struct littlecms_transform littlecms_transform;

// Loads the functions, which stay loaded; NULL with a clause in `reason` on failure.
const littlecms_api *littlecms_load(char *reason, size_t capacity);

typedef enum {
  littlecms_grey,           // a byte a pixel in, and one out
  littlecms_bgra,           // the fourth byte stays
  littlecms_inverted_cmyk,  // BGRA out; the fourth byte becomes 255
} littlecms_pixels;

// Makes a transform from the pixels of a profile to sRGB, with the perceptual intent. The profile is untrusted: NULL if it is invalid, or needs more
// memory or steps than valid ones do.
littlecms_transform *littlecms_of_profile(const littlecms_api *api, const void *bytes, uint32_t count, littlecms_pixels pixels);
// Makes a transform from BGRA with the x and y of white, red, green and blue (eight numbers), and a power curve, or sRGB's curve if `gamma` is 0.
littlecms_transform *littlecms_of_primaries(const littlecms_api *api, const double *places, double gamma);
void littlecms_apply(const littlecms_api *api, const littlecms_transform *transform, const void *from, void *to, uint32_t count);
void littlecms_close(const littlecms_api *api, littlecms_transform *transform);
