// Operations on eight blocks at once, one in each 32-bit lane, with AVX2.
#pragma once
#include <immintrin.h>
#include <string.h>

#include "transform.h"

/// A lower and an upper word in each lane: two coefficients.
typedef __m256i word_pairs;
typedef __m256i lane_sums;
/// Sums shifted right, still in their lanes.
typedef __m256i lane_values;

#define EACH_LINE _Pragma("clang loop unroll(full)")

typedef struct {
  __m256i most, least;
} extent;

FAST INLINE extent read_extent(const int16_t *most, const int16_t *least) {
  return (extent){_mm256_load_si256((const __m256i *)most), _mm256_load_si256((const __m256i *)least)};
}

FAST INLINE void write_extent(extent e, int16_t *most, int16_t *least) {
  _mm256_store_si256((__m256i *)most, e.most);
  _mm256_store_si256((__m256i *)least, e.least);
}

FAST INLINE void extend(extent *e, __m256i words) {
  e->most = _mm256_max_epi16(e->most, words);
  e->least = _mm256_min_epi16(e->least, words);
}

FAST INLINE word_pairs pair_at(const int16_t *batch, int index) {
  return _mm256_load_si256((const __m256i *)batch + index);
}

FAST INLINE void clear_pair(int16_t *batch, int index) {
  _mm256_store_si256((__m256i *)batch + index, _mm256_setzero_si256());
}

FAST INLINE lane_values no_values(void) { return _mm256_setzero_si256(); }

typedef const int16_t *line_weights;

INLINE line_weights weights_at(const int16_t *weights) { return weights; }

/// In each lane: the words of a pair times the weights `k` and `k` + 2.
FAST INLINE lane_sums weighed(word_pairs pairs, line_weights w, const int k) {
  return _mm256_madd_epi16(pairs, _mm256_set1_epi32((int)((uint32_t)(uint16_t)w[k] | (uint32_t)(uint16_t)w[k + 2] << 16)));
}

FAST INLINE lane_sums weighed_more(lane_sums sums, word_pairs pairs, line_weights w, const int k) {
  return _mm256_add_epi32(sums, weighed(pairs, w, k));
}

/// Adds the rounding term of `shifted` early, to a common half of two sums.
FAST INLINE lane_sums prepared(lane_sums sums, const int shift) {
  return _mm256_add_epi32(sums, _mm256_set1_epi32(1 << (shift - 1)));
}

FAST INLINE lane_sums sum_of(lane_sums a, lane_sums b) { return _mm256_add_epi32(a, b); }
FAST INLINE lane_sums difference_of(lane_sums a, lane_sums b) { return _mm256_sub_epi32(a, b); }
FAST INLINE lane_values shifted(lane_sums prepared, const int shift) { return _mm256_srai_epi32(prepared, shift); }

/// Two values of each lane as a pair, saturated.
FAST INLINE word_pairs joined(lane_values lower, lane_values upper, extent *e) {
  const __m256i order = _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15));
  __m256i words = _mm256_shuffle_epi8(_mm256_packs_epi32(lower, upper), order);
  extend(e, words);
  return words;
}

/// Converts four columns of samples to bytes, grouped by block: 16 bytes in each half, of blocks 0–3 and 4–7.
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

/// Keeps the first `to` of each block's `from` bytes, without gaps.
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

/// Writes one row of all blocks. Each store overwrites the surplus bytes of the previous one.
FAST INLINE void put_row(const int n, const lane_values *columns, uint8_t *to, extent *e) {
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

/// Writes an eighth of the lower word of each pair, as bytes.
FAST INLINE void put_means(word_pairs pairs, uint8_t *to, extent *e) {
  __m256i means = _mm256_srai_epi32(_mm256_slli_epi32(pairs, 16), 16);
  means = _mm256_srai_epi32(_mm256_add_epi32(means, _mm256_set1_epi32(4)), 3);
  __m256i columns[4] = {means, means, means, means};
  means = closed_up(four_columns(1, columns, e), 4, 1);
  uint64_t bytes = (uint32_t)_mm256_extract_epi32(means, 0) | (uint64_t)(uint32_t)_mm256_extract_epi32(means, 4) << 32;
  memcpy(to, &bytes, 8);
}
