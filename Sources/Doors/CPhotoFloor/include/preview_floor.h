// A picture of the preview by hand: the shortest C that turns a frame into BGRA of its own size on libjpeg-turbo and libyuv.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct preview_floor preview_floor;

// NULL when there is no memory. Frames of up to max_width × max_height pixels.
preview_floor *preview_floor_open(int max_width, int max_height);
void preview_floor_close(preview_floor *floor);

// All return 1, or 0 on failure. width and height are the frame's, even.

// NV12 of limited range, BT.709.
int preview_floor_nv12(
    const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height, uint8_t *bgra,
    int bgra_stride);
// The same turned clockwise by 90°: the result is height × width.
int preview_floor_nv12_turned(
    preview_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    uint8_t *bgra, int bgra_stride);
// The same in bands of that many rows of the frame, which stay in the processor's cache; an even number.
int preview_floor_nv12_banded(
    preview_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    int band, uint8_t *bgra, int bgra_stride);
// A JPEG of 4:2:0 and of that size.
int preview_floor_jpeg(
    preview_floor *floor, const uint8_t *bytes, size_t count, int width, int height, uint8_t *bgra, int bgra_stride);
