#include "transform.h"

#if defined(__x86_64__)
#include <immintrin.h>
#include <string.h>

#include "weights.h"

/// Of each lane: a · lower + b · upper, of a pair of words.
FAST INLINE __m256i weighed(__m256i pair, int lower, int upper) {
  return _mm256_madd_epi16(pair, _mm256_set1_epi32((int)((uint32_t)(uint16_t)lower | (uint32_t)(uint16_t)upper << 16)));
}

/// Two lanes of 32 bits as a pair of words, saturated.
FAST INLINE __m256i joined(__m256i lower, __m256i upper) {
  const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  return _mm256_shuffle_epi8(_mm256_packs_epi32(lower, upper), order);
}

typedef struct {
  __m256i most, least;
} extent;

FAST INLINE void extend(extent *e, __m256i words) {
  e->most = _mm256_max_epi16(e->most, words);
  e->least = _mm256_min_epi16(e->least, words);
}

/// One line: pairs of coefficients in, n values out.
FAST INLINE void transform_line(
    const int n, const int is_sparse, const __m256i *pairs, __m256i *out, __m256i rounding, int shift) {
  const int even = even_pairs(n);
#pragma clang loop unroll(full)
  for (int i = 0; i < (n + 1) / 2; i++) {
    const int16_t *w = weights[n][i];
    __m256i a = _mm256_add_epi32(weighed(pairs[0], w[0], w[2]), rounding);
    if (!is_sparse && even > 1) a = _mm256_add_epi32(a, weighed(pairs[1], w[4], w[6]));
    if (i == n - 1 - i) {  // The odd ones are 0 in the middle.
      out[i] = _mm256_srai_epi32(a, shift);
      continue;
    }
    __m256i b = weighed(pairs[even], w[1], w[3]);
    if (!is_sparse && odd_pairs(n) > 1) b = _mm256_add_epi32(b, weighed(pairs[even + 1], w[5], w[7]));
    out[i] = _mm256_srai_epi32(_mm256_add_epi32(a, b), shift);
    out[n - 1 - i] = _mm256_srai_epi32(_mm256_sub_epi32(a, b), shift);
  }
}

/// Four columns of samples → bytes, a block's together: 16 bytes a half, of blocks 0–3 and 4–7.
FAST INLINE __m256i four_columns(const int has_both, const __m256i *columns, extent *e) {
  const __m256i middle = _mm256_set1_epi16(128);
  const __m256i turn = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
  __m256i first = _mm256_packs_epi32(columns[0], columns[1]), second = _mm256_setzero_si256();
  extend(e, first);
  if (has_both) {
    second = _mm256_packs_epi32(columns[2], columns[3]);
    extend(e, second);
  }
  first = _mm256_packus_epi16(_mm256_add_epi16(first, middle), _mm256_add_epi16(second, middle));
  return _mm256_shuffle_epi8(first, turn);
}

/// Which bytes remain when each block's `from` become its first `to`.
FAST INLINE __m256i closed_up(__m256i bytes, const int from, const int to) {
  int8_t order[16];
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) order[i] = (int8_t)(i < 16 / from * to ? i / to * from + i % to : -1);
  __m128i half;
  memcpy(&half, order, 16);
  return _mm256_shuffle_epi8(bytes, _mm256_broadcastsi128_si256(half));
}

FAST INLINE void put16(uint8_t *to, __m256i bytes, const int half) {
  _mm_storeu_si128((__m128i *)to, half ? _mm256_extracti128_si256(bytes, 1) : _mm256_castsi256_si128(bytes));
}

/// One row of all blocks. Each store overwrites what the one before wrote too much.
FAST INLINE void put_row(const int n, const __m256i *columns, uint8_t *to, extent *e) {
  __m256i left = four_columns(n > 2, columns, e);
  if (n <= 4) {
    if (n < 4) left = closed_up(left, 4, n);
    put16(to, left, 0);
    put16(to + 4 * n, left, 1);
    return;
  }
  __m256i right = four_columns(n > 6, columns + 4, e);
  __m256i first = _mm256_unpacklo_epi32(left, right), second = _mm256_unpackhi_epi32(left, right);
  if (n < 8) {
    first = closed_up(first, 8, n);
    second = closed_up(second, 8, n);
  }
  put16(to, first, 0);
  put16(to + 2 * n, second, 0);
  put16(to + 4 * n, first, 1);
  put16(to + 6 * n, second, 1);
}

FAST INLINE void transform_batch(
    const int n, const int is_sparse, int16_t *batch, uint8_t *out, long stride, transform_range *range) {
  __m256i *in = (__m256i *)batch, *ranges = (__m256i *)range, rows[8][8];
  const __m256i zero = _mm256_setzero_si256();
  const int pairs = line_pairs(n), even = even_pairs(n);
  extent sums = {ranges[0], ranges[1]}, samples = {ranges[2], ranges[3]};
#pragma clang loop unroll(full)
  for (int x = 0; x < 8; x++) {
#pragma clang loop unroll(full)
    for (int y = 0; y < n; y++) rows[y][x] = zero;
    if (!is_needed(n, x) || (is_sparse && x > 3)) continue;
    __m256i values[8], *column = in + x * pairs;
    transform_line(n, is_sparse, column, values, _mm256_set1_epi32(1 << 10), 11);
#pragma clang loop unroll(full)
    for (int y = 0; y < n; y++) rows[y][x] = values[y];
    column[0] = column[even] = zero;
    if (!is_sparse) column[even - 1] = column[pairs - 1] = zero;
  }
#pragma clang loop unroll(full)
  for (int y = 0; y < n; y++) {
    __m256i line[4] = {zero, zero, zero, zero}, values[8] = {zero, zero, zero, zero, zero, zero, zero, zero}, *r = rows[y];
    extend(&sums, line[0] = joined(r[0], r[2]));
    extend(&sums, line[even] = joined(r[1], r[3]));
    if (!is_sparse && even > 1) extend(&sums, line[1] = joined(r[4], r[6]));
    if (!is_sparse && odd_pairs(n) > 1) extend(&sums, line[even + 1] = joined(r[5], r[7]));
    transform_line(n, is_sparse, line, values, _mm256_set1_epi32(1 << 17), 18);
    put_row(n, values, out + y * stride, &samples);
  }
  ranges[0] = sums.most;
  ranges[1] = sums.least;
  ranges[2] = samples.most;
  ranges[3] = samples.least;
}

/// At 1/8 a block is its mean.
FAST static void transform_1(int16_t *batch, uint8_t *out, long stride, transform_range *range) {
  (void)stride;
  __m256i *in = (__m256i *)batch, *ranges = (__m256i *)range;
  extent samples = {ranges[2], ranges[3]};
  __m256i means = _mm256_srai_epi32(_mm256_slli_epi32(in[0], 16), 16);
  means = _mm256_srai_epi32(_mm256_add_epi32(means, _mm256_set1_epi32(4)), 3);
  in[0] = _mm256_setzero_si256();
  __m256i columns[4] = {means, means, means, means};
  means = closed_up(four_columns(1, columns, &samples), 4, 1);
  uint64_t bytes = (uint32_t)_mm256_extract_epi32(means, 0) | (uint64_t)(uint32_t)_mm256_extract_epi32(means, 4) << 32;
  memcpy(out, &bytes, 8);
  ranges[2] = samples.most;
  ranges[3] = samples.least;
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
#endif
