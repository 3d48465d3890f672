#include "preview_floor.h"

#include <libyuv.h>
#include <stdlib.h>
#include <turbojpeg.h>

struct preview_floor {
  tjhandle decoder;
  uint8_t *planes[3];
};

preview_floor *preview_floor_open(int max_width, int max_height) {
  preview_floor *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->decoder = tjInitDecompress();
  int complete = f->decoder != NULL;
  for (int i = 0; i < 3; i++) {
    f->planes[i] = aligned_alloc(64, ((size_t)max_width * max_height + 4095) / 64 * 64);
    complete = complete && f->planes[i];
  }
  if (complete) return f;
  preview_floor_close(f);
  return NULL;
}

void preview_floor_close(preview_floor *f) {
  if (f->decoder) tjDestroy(f->decoder);
  for (int i = 0; i < 3; i++) free(f->planes[i]);
  free(f);
}

int preview_floor_nv12(
    const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height, uint8_t *bgra,
    int bgra_stride) {
  return !NV12ToARGBMatrix(
      luma, luma_stride, chroma, chroma_stride, bgra, bgra_stride, &kYuvH709Constants, width, height);
}

int preview_floor_nv12_turned(
    preview_floor *f, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    uint8_t *bgra, int bgra_stride) {
  uint8_t **p = f->planes;
  if (NV12ToI420Rotate(
          luma, luma_stride, chroma, chroma_stride, p[0], height, p[1], height / 2, p[2], height / 2, width, height,
          kRotate90))
    return 0;
  return !I420ToARGBMatrix(
      p[0], height, p[1], height / 2, p[2], height / 2, bgra, bgra_stride, &kYuvH709Constants, height, width);
}

int preview_floor_nv12_banded(
    preview_floor *f, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride, int width, int height,
    int band, uint8_t *bgra, int bgra_stride) {
  uint8_t **p = f->planes;
  for (int row = 0; row < height; row += band) {
    int rows = height - row < band ? height - row : band;
    if (NV12ToI420Rotate(
            luma + (size_t)row * luma_stride, luma_stride, chroma + (size_t)(row / 2) * chroma_stride, chroma_stride, p[0],
            rows, p[1], rows / 2, p[2], rows / 2, width, rows, kRotate90))
      return 0;
    // After a clockwise turn, the first rows are the last columns.
    if (I420ToARGBMatrix(
            p[0], rows, p[1], rows / 2, p[2], rows / 2, bgra + (size_t)(height - row - rows) * 4, bgra_stride,
            &kYuvH709Constants, rows, width))
      return 0;
  }
  return 1;
}

int preview_floor_jpeg(
    preview_floor *f, const uint8_t *bytes, size_t count, int width, int height, uint8_t *bgra, int bgra_stride) {
  int full_width, full_height, sampling, space;
  if (tjDecompressHeader3(f->decoder, bytes, count, &full_width, &full_height, &sampling, &space)) return 0;
  if (sampling != TJSAMP_420 || full_width != width || full_height != height) return 0;
  int stride[3] = {width, width / 2, width / 2};
  if (tjDecompressToYUVPlanes(f->decoder, bytes, count, f->planes, width, stride, height, 0)) return 0;
  return !I420ToARGBMatrix(
      f->planes[0], stride[0], f->planes[1], stride[1], f->planes[2], stride[2], bgra, bgra_stride, &kYuvJPEGConstants,
      width, height);
}
