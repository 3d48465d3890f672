// Baseline JPEG (ITU-T T.81, Huffman-coded, 8 bits) → planes at 1/8 … 8/8 of the size, without the work that a reduced size does not need.
// What it is not sure of it refuses: unusual headers, damage, and whatever could come out more than one level from libjpeg-turbo.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A picture: what its markers said. One thread at a time, but for `baseline_jpeg_decode_band`.
typedef struct baseline_jpeg baseline_jpeg;
typedef struct baseline_jpeg_worker baseline_jpeg_worker;

enum { BASELINE_JPEG_MOST_BANDS = 16 };

typedef struct {
  int width, height;
  int components;              // 1 or 3
  int across, down;            // luma samples to a chroma sample
} baseline_jpeg_shape;

/// Whether this processor has the instructions, and the compiler optimised: otherwise libjpeg-turbo is faster.
int baseline_jpeg_is_fast(void);

/// NULL without memory, and on processors without the instructions.
/// - Parameter is_plain: transforms without them, to compare.
baseline_jpeg *_Nullable baseline_jpeg_open(int is_plain);
void baseline_jpeg_close(baseline_jpeg *_Nonnull);

/// Reads the markers up to the first scan. The bytes must stay until the picture is decoded.
/// - Returns: 0 when it can be decoded; otherwise the line of the source that refused it.
int baseline_jpeg_read(
    baseline_jpeg *_Nonnull, const uint8_t *_Nonnull bytes, size_t count, baseline_jpeg_shape *_Nonnull shape);

/// What one thread decodes with; NULL without memory, and on processors without the instructions.
baseline_jpeg_worker *_Nullable baseline_jpeg_open_worker(void);
void baseline_jpeg_close_worker(baseline_jpeg_worker *_Nullable);

/// Says where the picture that was read goes, at `eighths`/8, and divides it: by restart markers, where they are in order and an interval ends
/// with a row often enough; otherwise it is one band. Nothing will be written outside `rows` × `strides` of each plane.
/// - Parameter most_bands: 1 … BASELINE_JPEG_MOST_BANDS.
/// - Returns: how many bands there are; 0 when it is refused.
int baseline_jpeg_begin(
    baseline_jpeg *_Nonnull, int eighths, uint8_t *_Nullable const *_Nonnull planes, const int32_t *_Nonnull strides,
    const int32_t *_Nonnull rows, int most_bands);

/// Decodes a band. Several threads may do so at once, each with a worker of its own: bands write to different rows.
/// - Returns: 0; otherwise the line that refused it. The planes have the picture when no band was refused.
int baseline_jpeg_decode_band(const baseline_jpeg *_Nonnull, baseline_jpeg_worker *_Nonnull, int index);

/// The transform of eight blocks by itself, to compare: samples side by side, of which each row may have 8 bytes more.
/// - Parameters:
///   - is_sparse: no coefficient has a place above 3, neither across nor down.
///   - coefficients: 64 of each block, −8192…8191, in rows.
/// - Returns: 1 where any implementation of libjpeg has the same samples, 0 where not, −1 on processors without the instructions.
int baseline_jpeg_transform(
    int eighths, int is_sparse, int is_plain, const int16_t *_Nonnull coefficients, uint8_t *_Nonnull out, int32_t stride);
