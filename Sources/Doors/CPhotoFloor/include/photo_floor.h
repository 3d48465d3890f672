// A baseline for photos: the shortest C code that makes an upright, sized JPEG of a frame with libjpeg-turbo and libyuv. The baseline for previews is
// in preview_floor.h.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct photo_floor photo_floor;

// Opens a baseline for frames of up to max_width × max_height pixels; NULL if there is no memory.
photo_floor *photo_floor_open(int max_width, int max_height);
void photo_floor_close(photo_floor *floor);

// All functions turn the picture clockwise by 90° and encode it at quality 85, 4:2:0. width × height is the size before the turn,
// even. They return the length of the result, which stays valid until the next call, or 0 on failure.

// From a 4:2:0 JPEG, decoded at eighths/8 of its size straight to planes.
size_t photo_floor_jpeg(photo_floor *floor, const uint8_t *bytes, size_t count, int eighths, int width, int height);
// From limited-range NV12, which becomes full range.
size_t photo_floor_nv12(
    photo_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride,
    int source_width, int source_height, int width, int height);

// From limited-range YUYV, which becomes full range.
size_t photo_floor_yuyv(
    photo_floor *floor, const uint8_t *pixels, int stride, int source_width, int source_height, int width, int height);

const uint8_t *photo_floor_bytes(const photo_floor *floor);
