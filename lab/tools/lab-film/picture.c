#include "picture.h"

#include <stdlib.h>
#include <string.h>
#include <turbojpeg.h>

#include "common.h"

enum { largest_side = 8192, jpeg_quality = 85, block = 16, bits = 32 };

struct picture new_picture(int width, int height, int subsampling) {
  struct picture picture = {.width = width, .height = height, .subsampling = subsampling};
  if (subsampling != TJSAMP_GRAY) {
    picture.chroma_width = tjPlaneWidth(1, width, subsampling);
    picture.chroma_height = tjPlaneHeight(1, height, subsampling);
  }
  // TurboJPEG pads planes to complete chroma samples.
  size_t luma = (size_t)tjPlaneWidth(0, width, subsampling) * (size_t)tjPlaneHeight(0, height, subsampling);
  size_t chroma = (size_t)picture.chroma_width * (size_t)picture.chroma_height;
  picture.luma = malloc(luma + 2 * chroma);
  if (!picture.luma)
    fail("there is no memory for a picture of %d×%d; end other programs, or name a folder with smaller pictures", width, height);
  picture.blue = picture.luma + luma;
  picture.red = picture.blue + chroma;
  return picture;
}

void free_picture(struct picture *picture) { free(picture->luma); }

static int luma_stride(const struct picture *picture) { return tjPlaneWidth(0, picture->width, picture->subsampling); }

/// Returns the program's only decompressor.
static tjhandle decoder(void) {
  static tjhandle handle;
  return handle ? handle : (handle = tjInitDecompress());
}

static tjhandle encoder(void) {
  static tjhandle handle;
  return handle ? handle : (handle = tjInitCompress());
}

bool read_jpeg_header(const uint8_t *jpeg, size_t length, int *width, int *height, int *subsampling) {
  int colours;
  if (tjDecompressHeader3(decoder(), jpeg, length, width, height, subsampling, &colours) != 0) return false;
  bool planar = colours == TJCS_YCbCr || colours == TJCS_GRAY;
  return planar && *subsampling >= 0 && *width > 0 && *height > 0 && *width <= largest_side && *height <= largest_side;
}

bool decode_jpeg(const uint8_t *jpeg, size_t length, int divisor, struct picture *picture) {
  int width, height, subsampling;
  if (!read_jpeg_header(jpeg, length, &width, &height, &subsampling)) return false;
  *picture = new_picture(TJSCALED(width, ((tjscalingfactor){1, divisor})), TJSCALED(height, ((tjscalingfactor){1, divisor})), subsampling);
  uint8_t *planes[3] = {picture->luma, picture->blue, picture->red};
  if (tjDecompressToYUVPlanes(decoder(), jpeg, length, planes, picture->width, NULL, picture->height, 0) == 0) return true;
  free_picture(picture);
  return false;
}

void draw_test_frame(struct picture *picture, uint32_t number) {
  static const uint8_t bars[8][3] = {{235, 128, 128}, {210, 16, 146}, {170, 166, 16}, {145, 54, 34},
                                     {106, 202, 222}, {81, 90, 240},  {41, 240, 110}, {16, 128, 128}};
  int stride = luma_stride(picture), side = picture->height / 4;
  int left = (int)(number * 8 % (uint32_t)(picture->width - side)), top = picture->height / 2;
  for (int y = 0; y < picture->height; y++) {
    for (int x = 0; x < picture->width; x++) {
      bool square = x >= left && x < left + side && y >= top && y < top + side;
      picture->luma[y * stride + x] = square ? 180 : bars[x * 8 / picture->width][0];
    }
  }
  for (int y = 0; y < picture->chroma_height; y++) {
    for (int x = 0; x < picture->chroma_width; x++) {
      const uint8_t *bar = bars[x * 8 / picture->chroma_width];
      bool code = y * picture->height / picture->chroma_height < block;
      picture->blue[y * picture->chroma_width + x] = code ? 128 : bar[1];
      picture->red[y * picture->chroma_width + x] = code ? 128 : bar[2];
    }
  }
  for (int bit = 0; bit < bits && (bit + 1) * block <= picture->width; bit++)
    for (int y = 0; y < block; y++) memset(picture->luma + y * stride + bit * block, number >> bit & 1 ? 235 : 16, block);
}

uint8_t *encode_jpeg(const struct picture *picture, size_t *length) {
  const uint8_t *planes[3] = {picture->luma, picture->blue, picture->red};
  unsigned char *jpeg = NULL;
  unsigned long size = 0;
  if (tjCompressFromYUVPlanes(encoder(), planes, picture->width, NULL, picture->height, picture->subsampling, &jpeg, &size,
                              jpeg_quality, 0) != 0)
    fail("a frame of %d×%d cannot be encoded: %s; name another folder", picture->width, picture->height, tjGetErrorStr2(encoder()));
  *length = size;
  return jpeg;
}

void free_jpeg(uint8_t *jpeg) { tjFree(jpeg); }

void pack_yuyv(const struct picture *picture, uint8_t *yuyv) {
  int stride = luma_stride(picture);
  for (int y = 0; y < picture->height; y++) {
    int row = picture->chroma_height ? y * picture->chroma_height / picture->height : 0;
    for (int x = 0; x < picture->width; x += 2, yuyv += 4) {
      int column = picture->chroma_width ? x * picture->chroma_width / picture->width : 0;
      bool grey = picture->chroma_width == 0;
      yuyv[0] = picture->luma[y * stride + x];
      yuyv[1] = grey ? 128 : picture->blue[row * picture->chroma_width + column];
      yuyv[2] = picture->luma[y * stride + x + 1];
      yuyv[3] = grey ? 128 : picture->red[row * picture->chroma_width + column];
    }
  }
}
