// Baseline JPEG (ITU-T T.81, Huffman-coded, 8 bits) → planes at 1/8 … 8/8 of the size, without the work that a reduced size does not need.
// What it is not sure of it refuses: unusual headers, damage, and whatever could come out more than one level from libjpeg-turbo.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct baseline_jpeg baseline_jpeg;

typedef struct {
  int width, height;
  int components;              // 1 or 3
  int across, down;            // luma samples to a chroma sample
} baseline_jpeg_shape;

/// Whether this processor has the instructions, and the compiler optimised: otherwise libjpeg-turbo is faster.
int baseline_jpeg_is_fast(void);

/// NULL without memory, and on processors without the instructions.
baseline_jpeg *_Nullable baseline_jpeg_open(void);
void baseline_jpeg_close(baseline_jpeg *_Nonnull);

/// Reads the markers up to the first scan. The bytes must stay until the picture is decoded.
/// - Returns: 0 when it can be decoded; otherwise the line of the source that refused it.
int baseline_jpeg_read(
    baseline_jpeg *_Nonnull, const uint8_t *_Nonnull bytes, size_t count, baseline_jpeg_shape *_Nonnull shape);

/// Decodes the picture that was read, at `eighths`/8. Writes nothing outside `rows` × `strides` of each plane.
/// - Returns: 0; otherwise the line that refused it, and what is in the planes is not the picture.
int baseline_jpeg_decode(
    baseline_jpeg *_Nonnull, int eighths, uint8_t *_Nullable const *_Nonnull planes, const int32_t *_Nonnull strides,
    const int32_t *_Nonnull rows);
