// Decodes baseline JPEG (ITU-T T.81, Huffman-coded, 8 bits) to planes at 1/8 … 8/8 of the size, without unnecessary work for a reduced size.
// It refuses doubtful pictures: unusual headers, damage, and anything that could differ by more than one level from libjpeg-turbo.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// A picture with the contents of its markers. One thread at a time, except for `baseline_jpeg_decode_band`.
typedef struct baseline_jpeg baseline_jpeg;
typedef struct baseline_jpeg_worker baseline_jpeg_worker;

enum { BASELINE_JPEG_MOST_BANDS = 16 };

typedef struct {
  int width, height;
  int components;              // 1 or 3
  int across, down;            // luma samples to a chroma sample
} baseline_jpeg_shape;

/// Whether this processor has the needed vector instructions, and the build is optimised: otherwise libjpeg-turbo is faster.
int baseline_jpeg_is_fast(void);

/// Returns NULL if there is no memory, or if the processor lacks the vector instructions.
/// - Parameter is_plain: whether to transform without vector instructions, for comparison.
baseline_jpeg *_Nullable baseline_jpeg_open(int is_plain);
void baseline_jpeg_close(baseline_jpeg *_Nonnull);

/// Reads the markers up to the first scan. The bytes must stay valid until the picture is decoded.
/// - Returns: 0 if it can be decoded; otherwise the source line that refused it.
int baseline_jpeg_read(
    baseline_jpeg *_Nonnull, const uint8_t *_Nonnull bytes, size_t count, baseline_jpeg_shape *_Nonnull shape);

/// Makes the decoding state of one thread; NULL if there is no memory, or if the processor lacks the vector instructions.
baseline_jpeg_worker *_Nullable baseline_jpeg_open_worker(void);
void baseline_jpeg_close_worker(baseline_jpeg_worker *_Nullable);

/// Sets the destination of the picture that was read, at `eighths`/8, and divides it into bands by restart markers, if these are valid and intervals
/// end at the end of a row often enough; otherwise there is one band. Nothing is written outside `rows` × `strides` of each plane.
/// - Parameter most_bands: the largest number of bands to make, 1 … BASELINE_JPEG_MOST_BANDS.
/// - Returns: the number of bands; 0 if the picture is refused.
int baseline_jpeg_begin(
    baseline_jpeg *_Nonnull, int eighths, uint8_t *_Nullable const *_Nonnull planes, const int32_t *_Nonnull strides,
    const int32_t *_Nonnull rows, int most_bands);

/// Decodes a band. Several threads may do so at once, each with a worker of its own: bands write to different rows.
/// - Returns: 0; if the band is refused, the line of the decoder's source that refused it. The planes have the picture if no band was refused.
int baseline_jpeg_decode_band(const baseline_jpeg *_Nonnull, baseline_jpeg_worker *_Nonnull, int index);

/// Transforms eight blocks alone, for comparison. Writes their samples side by side, and up to 8 more bytes after each row.
/// - Parameters:
///   - is_sparse: whether no coefficient has a horizontal or vertical place above 3.
///   - coefficients: 64 for each block, −8192…8191, in rows.
/// - Returns: 1 if every implementation of libjpeg gives the same samples, 0 if not, −1 on processors without the instructions.
int baseline_jpeg_transform(
    int eighths, int is_sparse, int is_plain, const int16_t *_Nonnull coefficients, uint8_t *_Nonnull out, int32_t stride);
