// Pictures as planes, from a JPEG file or drawn, and their encodings as a camera sends them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Luma and two chroma planes without padding. Chroma may be subsampled in either direction, or absent (grey).
struct picture {
  int width, height;
  int subsampling;  // one of TurboJPEG's TJSAMP
  int chroma_width, chroma_height;
  uint8_t *luma, *blue, *red;
};

/// Allocates a picture of that size; ends the program without memory.
struct picture new_picture(int width, int height, int subsampling);
void free_picture(struct picture *picture);

/// Reads the width, height and subsampling of a JPEG file. Returns false if it is none, or is larger than 8192 pixels on a side.
bool read_jpeg_header(const uint8_t *jpeg, size_t length, int *width, int *height, int *subsampling);

/// Decodes a JPEG file at full size (divisor 1) or half size (2). Returns false if it is broken.
bool decode_jpeg(const uint8_t *jpeg, size_t length, int divisor, struct picture *picture);

/// Draws a frame of the test picture: colour bars, a moving square, and the frame number as 32 blocks of 16×16 pixels along the top
/// edge, bit 0 first, with luma 16 for 0 and 235 for 1.
void draw_test_frame(struct picture *picture, uint32_t number);

/// Encodes a picture as JPEG at quality 85. The caller frees the result with free_jpeg.
uint8_t *encode_jpeg(const struct picture *picture, size_t *length);
void free_jpeg(uint8_t *jpeg);

/// Packs a picture into width × height × 2 bytes of YUYV.
void pack_yuyv(const struct picture *picture, uint8_t *yuyv);
