// The photo path by hand: the shortest C that turns a frame into an upright, sized JPEG on libjpeg-turbo and libyuv. The preview by hand is in
// preview_floor.h.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct photo_floor photo_floor;

// NULL when there is no memory. Frames of up to max_width × max_height pixels.
photo_floor *photo_floor_open(int max_width, int max_height);
void photo_floor_close(photo_floor *floor);

// All turn the picture clockwise by 90° and encode it at quality 85, 4:2:0. width × height is the size before the turn,
// even. The result stays valid until the next call; its length is returned, 0 on failure.

// A JPEG of 4:2:0, decoded at eighths/8 of its size straight to planes.
size_t photo_floor_jpeg(photo_floor *floor, const uint8_t *bytes, size_t count, int eighths, int width, int height);
// NV12 of limited range, which becomes full range.
size_t photo_floor_nv12(
    photo_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride,
    int source_width, int source_height, int width, int height);

// YUYV of limited range, likewise.
size_t photo_floor_yuyv(
    photo_floor *floor, const uint8_t *pixels, int stride, int source_width, int source_height, int width, int height);

const uint8_t *photo_floor_bytes(const photo_floor *floor);
