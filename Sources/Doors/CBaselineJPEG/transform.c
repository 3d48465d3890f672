#include "transform.h"

#include <string.h>

#include "weights.h"

#if defined(__x86_64__)
#include "lanes_avx2.h"
#elif defined(__aarch64__)
#include "lanes_neon.h"
#endif

#if HAS_LANES

/// Transforms one line: from pairs of coefficients to n values.
FAST INLINE void transform_line(const int n, const int is_sparse, const word_pairs *pairs, lane_values *out, const int shift) {
  const int even = even_pairs(n);
#pragma clang loop unroll(full)
  for (int i = 0; i < (n + 1) / 2; i++) {
    const line_weights w = weights_at(weights[n][i]);
    lane_sums a = prepared(weighed(pairs[0], w, 0), shift);
    if (!is_sparse && even > 1) a = weighed_more(a, pairs[1], w, 4);
    if (i == n - 1 - i) {  // The odd ones are 0 in the middle.
      out[i] = shifted(a, shift);
      continue;
    }
    lane_sums b = weighed(pairs[even], w, 1);
    if (!is_sparse && odd_pairs(n) > 1) b = weighed_more(b, pairs[even + 1], w, 5);
    out[i] = shifted(sum_of(a, b), shift);
    out[n - 1 - i] = shifted(difference_of(a, b), shift);
  }
}

FAST INLINE void transform_batch(
    const int n, const int is_sparse, int16_t *batch, uint8_t *out, long stride, transform_range *range) {
  lane_values rows[8][8];
  const int pairs = line_pairs(n), even = even_pairs(n), columns = is_sparse ? 4 : n == 2 || n == 4 ? 8 : n;
  extent sums = read_extent(range->most, range->least), samples = read_extent(range->highest, range->lowest);
  EACH_LINE
  for (int x = 0; x < columns; x++) {
    if (!is_needed(n, x)) continue;
    word_pairs column[4];
#pragma clang loop unroll(full)
    for (int i = 0; i < pairs; i++) {
      if (is_sparse && i != 0 && i != even) continue;
      column[i] = pair_at(batch, x * pairs + i);
      clear_pair(batch, x * pairs + i);
    }
    lane_values values[8];
    transform_line(n, is_sparse, column, values, 11);
#pragma clang loop unroll(full)
    for (int y = 0; y < n; y++) rows[y][x] = values[y];
  }
  EACH_LINE
  for (int y = 0; y < n; y++) {
    word_pairs line[4];
    lane_values values[8], of[8];
#pragma clang loop unroll(full)
    for (int x = 0; x < 8; x++) {
      of[x] = x < columns && is_needed(n, x) ? rows[y][x] : no_values();
      values[x] = no_values();
    }
    line[0] = joined(of[0], of[2], &sums);
    line[even] = joined(of[1], of[3], &sums);
    if (!is_sparse && even > 1) line[1] = joined(of[4], of[6], &sums);
    if (!is_sparse && odd_pairs(n) > 1) line[even + 1] = joined(of[5], of[7], &sums);
    transform_line(n, is_sparse, line, values, 18);
    put_row(n, values, out + y * stride, &samples);
  }
  write_extent(sums, range->most, range->least);
  write_extent(samples, range->highest, range->lowest);
}

/// Transforms to 1/8, where a block is its mean.
FAST static void transform_1(int16_t *batch, uint8_t *out, long stride, transform_range *range) {
  (void)stride;
  extent samples = read_extent(range->highest, range->lowest);
  put_means(pair_at(batch, 0), out, &samples);
  clear_pair(batch, 0);
  write_extent(samples, range->highest, range->lowest);
}

#define TRANSFORM(n) \
  FAST static void transform_##n(int16_t *b, uint8_t *o, long s, transform_range *r) { transform_batch(n, 0, b, o, s, r); } \
  FAST static void sparse_##n(int16_t *b, uint8_t *o, long s, transform_range *r) { transform_batch(n, 1, b, o, s, r); }
TRANSFORM(2)
TRANSFORM(4)
TRANSFORM(5)
TRANSFORM(6)
TRANSFORM(7)
TRANSFORM(8)
FAST static void transform_3(int16_t *b, uint8_t *o, long s, transform_range *r) { transform_batch(3, 0, b, o, s, r); }

transform *transform_of(int eighths, int is_sparse) {
  switch (eighths) {
    case 1: return transform_1;
    case 2: return is_sparse ? sparse_2 : transform_2;
    case 3: return transform_3;
    case 4: return is_sparse ? sparse_4 : transform_4;
    case 5: return is_sparse ? sparse_5 : transform_5;
    case 6: return is_sparse ? sparse_6 : transform_6;
    case 7: return is_sparse ? sparse_7 : transform_7;
    default: return is_sparse ? sparse_8 : transform_8;
  }
}

#else

transform *transform_of(int eighths, int is_sparse) {
  (void)is_sparse;
  return plain_transform_of(eighths);
}

#endif
