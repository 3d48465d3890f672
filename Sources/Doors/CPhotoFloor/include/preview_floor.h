// A baseline for previews: the shortest C code that converts a frame to BGRA of the same size with libjpeg-turbo and libyuv.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct preview_floor preview_floor;

// Opens a baseline for frames of up to max_width × max_height pixels; NULL if there is no memory.
preview_floor *preview_floor_open(int max_width, int max_height);
void preview_floor_close(preview_floor *floor);

// All functions return 1, or 0 on failure. width and height are those of the frame, even.

// From limited-range NV12, BT.709.
int preview_floor_nv12(
    const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height, uint8_t *bgra,
    int bgra_stride);
// From limited-range NV12, BT.709, turned clockwise by 90°: the result is height × width.
int preview_floor_nv12_turned(
    preview_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    uint8_t *bgra, int bgra_stride);
// From limited-range NV12, BT.709, turned, in bands of `band` rows of the frame, which stay in the processor's cache. `band` is even.
int preview_floor_nv12_banded(
    preview_floor *floor, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    int band, uint8_t *bgra, int bgra_stride);
// From a 4:2:0 JPEG of this size.
int preview_floor_jpeg(
    preview_floor *floor, const uint8_t *bytes, size_t count, int width, int height, uint8_t *bgra, int bgra_stride);
