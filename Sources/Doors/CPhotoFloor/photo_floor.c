#include "photo_floor.h"

#include <libyuv.h>
#include <stdlib.h>
#include <turbojpeg.h>

typedef struct {
  uint8_t *data[3];
  int stride[3];
} planes;

struct photo_floor {
  tjhandle decoder, encoder;
  planes source, scaled, turned;
  uint8_t *jpeg;
  unsigned long capacity;
};

static int allocate(planes *p, int width, int height) {
  for (int i = 0; i < 3; i++) {
    p->data[i] = aligned_alloc(64, ((size_t)width * height + 4095) / 64 * 64);
    if (!p->data[i]) return 0;
  }
  return 1;
}

photo_floor *photo_floor_open(int max_width, int max_height) {
  photo_floor *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->decoder = tjInitDecompress();
  f->encoder = tjInitCompress();
  f->capacity = tjBufSize(max_width, max_height, TJSAMP_420);
  f->jpeg = tjAlloc((int)f->capacity);
  if (f->decoder && f->encoder && f->jpeg && allocate(&f->source, max_width, max_height) &&
      allocate(&f->scaled, max_width, max_height) && allocate(&f->turned, max_width, max_height))
    return f;
  photo_floor_close(f);
  return NULL;
}

void photo_floor_close(photo_floor *f) {
  if (f->decoder) tjDestroy(f->decoder);
  if (f->encoder) tjDestroy(f->encoder);
  tjFree(f->jpeg);
  for (int i = 0; i < 3; i++) {
    free(f->source.data[i]);
    free(f->scaled.data[i]);
    free(f->turned.data[i]);
  }
  free(f);
}

const uint8_t *photo_floor_bytes(const photo_floor *f) { return f->jpeg; }

// Converts limited to full range, in 1/256ths: luma 255/219, chroma 255/224. Uses vectors as wide as the engine's and the libraries'.
#if defined(__x86_64__)
__attribute__((target_clones("avx2", "default")))
#endif
static void expand(uint8_t *plane, size_t count, int offset, int gain, int base) {
  for (size_t i = 0; i < count; i++) {
    int value = (((plane[i] - offset) * gain + 128) >> 8) + base;
    plane[i] = value < 0 ? 0 : value > 255 ? 255 : value;
  }
}

static void scale(photo_floor *f, int source_width, int source_height, int width, int height) {
  for (int i = 0; i < 3; i++) {
    int half = i > 0;
    f->scaled.stride[i] = width >> half;
    ScalePlane(
        f->source.data[i], f->source.stride[i], (source_width + half) >> half, (source_height + half) >> half,
        f->scaled.data[i], width >> half, width >> half, height >> half, kFilterBox);
  }
}

static void turn(photo_floor *f, int width, int height) {
  for (int i = 0; i < 3; i++) {
    int w = width >> (i > 0), h = height >> (i > 0);
    f->turned.stride[i] = h;
    RotatePlane(f->scaled.data[i], f->scaled.stride[i], f->turned.data[i], h, w, h, kRotate90);
  }
}

static size_t encode(photo_floor *f, int width, int height) {
  unsigned long length = f->capacity;
  const unsigned char *data[3] = {f->turned.data[0], f->turned.data[1], f->turned.data[2]};
  int failed = tjCompressFromYUVPlanes(
      f->encoder, data, width, f->turned.stride, height, TJSAMP_420, &f->jpeg, &length, 85, TJFLAG_NOREALLOC);
  return failed ? 0 : length;
}

size_t photo_floor_jpeg(photo_floor *f, const uint8_t *bytes, size_t count, int eighths, int width, int height) {
  int full_width, full_height, sampling, space;
  if (tjDecompressHeader3(f->decoder, bytes, count, &full_width, &full_height, &sampling, &space)) return 0;
  if (sampling != TJSAMP_420) return 0;
  int w = (full_width * eighths + 7) / 8, h = (full_height * eighths + 7) / 8;
  for (int i = 0; i < 3; i++) f->source.stride[i] = tjPlaneWidth(i, w, sampling);
  if (tjDecompressToYUVPlanes(f->decoder, bytes, count, f->source.data, w, f->source.stride, h, 0)) return 0;
  scale(f, w, h, width, height);
  turn(f, width, height);
  return encode(f, height, width);
}

// Turns the picture, converts it to full range, and encodes it.
static size_t finish(photo_floor *f, int width, int height) {
  turn(f, width, height);
  expand(f->turned.data[0], (size_t)width * height, 16, 298, 0);
  expand(f->turned.data[1], (size_t)width * height / 4, 128, 291, 128);
  expand(f->turned.data[2], (size_t)width * height / 4, 128, 291, 128);
  return encode(f, height, width);
}

size_t photo_floor_nv12(
    photo_floor *f, const uint8_t *luma, int luma_stride, const uint8_t *chroma, int chroma_stride,
    int source_width, int source_height, int width, int height) {
  int w = source_width / 2, h = source_height / 2;
  f->source.stride[1] = f->source.stride[2] = w;
  SplitUVPlane(chroma, chroma_stride, f->source.data[1], w, f->source.data[2], w, w, h);
  ScalePlane(luma, luma_stride, source_width, source_height, f->scaled.data[0], width, width, height, kFilterBox);
  f->scaled.stride[0] = width;
  for (int i = 1; i < 3; i++) {
    f->scaled.stride[i] = width / 2;
    ScalePlane(f->source.data[i], w, w, h, f->scaled.data[i], width / 2, width / 2, height / 2, kFilterBox);
  }
  return finish(f, width, height);
}

size_t photo_floor_yuyv(
    photo_floor *f, const uint8_t *pixels, int stride, int source_width, int source_height, int width, int height) {
  for (int i = 0; i < 3; i++) f->source.stride[i] = source_width >> (i > 0);
  YUY2ToI420(
      pixels, stride, f->source.data[0], f->source.stride[0], f->source.data[1], f->source.stride[1], f->source.data[2],
      f->source.stride[2], source_width, source_height);
  scale(f, source_width, source_height, width, height);
  return finish(f, width, height);
}
