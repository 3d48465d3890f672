// Inverse cosine transforms of 8 blocks at once, one in each 32-bit lane. Scaling and rounding are those of libjpeg's accurate integer transform.
#pragma once
#include "state.h"

/// The ranges of sums and samples over all blocks, as 16 words each: of the sums between the two passes, and of the samples before 128 is added.
/// If a range is too large, implementations of libjpeg differ.
typedef struct {
  int16_t most[16], least[16], highest[16], lowest[16];
} __attribute__((aligned(32))) transform_range;

/// Transforms a batch into 8 squares of n × n samples side by side, and clears it. Writes up to 8 bytes beyond the last square of each row.
typedef void transform(int16_t *batch, uint8_t *out, long stride, transform_range *range);

/// - Parameter is_sparse: whether no coefficient has a horizontal or vertical place above 3.
transform *transform_of(int eighths, int is_sparse);
/// The transform without lane instructions.
transform *plain_transform_of(int eighths);

// The distance in words between the same coefficient of two blocks, and between the two words of a pair. AVX2 multiplies neighbours and adds them;
// NEON multiplies eight words by one weight.
#if defined(__x86_64__)
enum { LANE_WORDS = 2, UPPER_WORD = 1 };
#else
enum { LANE_WORDS = 1, UPPER_WORD = 8 };
#endif

/// Pairs of coefficients of one line in one lane: (0, 2), (4, 6), (1, 3), (5, 7), without those that n samples do not need.
INLINE int even_pairs(int n) { return n <= 3 ? 1 : 2; }
INLINE int odd_pairs(int n) { return n == 3 || n == 5 ? 1 : 2; }
INLINE int line_pairs(int n) { return n == 1 ? 1 : even_pairs(n) + odd_pairs(n); }
INLINE int is_needed(int n, int k) {
  return n == 1 ? k == 0 : n == 2 ? k == 0 || (k & 1) : n == 4 ? k != 4 : k < n;
}

/// The number of bytes of a batch; the last 32 are the place for coefficients that are not needed.
INLINE int batch_bytes(int n) { return (n == 1 ? 32 : 8 * line_pairs(n) * 32) + 32; }

/// The offset in bytes of a coefficient of the first block in a batch.
INLINE int batch_place(int n, int x, int y) {
  int pair = (y & 1 ? even_pairs(n) : 0) + (y >> 2);
  return n == 1 ? 0 : (x * line_pairs(n) + pair) * 32 + (y >> 1 & 1) * UPPER_WORD * 2;
}
