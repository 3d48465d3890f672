// Operations on eight blocks at once, one in each 32-bit lane, with NEON, which every arm64 processor has.
#pragma once
#include <arm_neon.h>

#include "transform.h"

/// A lower and an upper word in each lane: two coefficients.
typedef int16x8x2_t word_pairs;
typedef int32x4x2_t lane_sums;
/// Sums shifted right and narrowed, saturated.
typedef int16x8_t lane_values;

/// Processes lines one by one.
#define EACH_LINE _Pragma("clang loop unroll(disable)")

typedef struct {
  int16x8_t most, least;
} extent;

INLINE extent read_extent(const int16_t *most, const int16_t *least) { return (extent){vld1q_s16(most), vld1q_s16(least)}; }

INLINE void write_extent(extent e, int16_t *most, int16_t *least) {
  vst1q_s16(most, e.most);
  vst1q_s16(least, e.least);
}

INLINE void extend(extent *e, int16x8_t words) {
  e->most = vmaxq_s16(e->most, words);
  e->least = vminq_s16(e->least, words);
}

INLINE word_pairs pair_at(const int16_t *batch, int index) {
  return (word_pairs){{vld1q_s16(batch + 16 * index), vld1q_s16(batch + 16 * index + 8)}};
}

INLINE void clear_pair(int16_t *batch, int index) {
  vst1q_s16(batch + 16 * index, vdupq_n_s16(0));
  vst1q_s16(batch + 16 * index + 8, vdupq_n_s16(0));
}

INLINE lane_values no_values(void) { return vdupq_n_s16(0); }

/// The weights of one sample, in a register from which instructions can select single words.
typedef int16x8_t line_weights;

INLINE line_weights weights_at(const int16_t *weights) {
  int16x8_t w = vld1q_s16(weights);
  // Without this, the compiler would use one register for each weight, and run out of registers.
  __asm__("" : "+w"(w));
  return w;
}

INLINE lane_sums more(lane_sums s, int16x8_t words, int16_t weight) {
  return (lane_sums){{vmlal_n_s16(s.val[0], vget_low_s16(words), weight), vmlal_high_n_s16(s.val[1], words, weight)}};
}

/// In each lane: the words of a pair times the weights `k` and `k` + 2.
INLINE lane_sums weighed(word_pairs pairs, line_weights w, const int k) {
  int16x8_t a = pairs.val[0];
  return more((lane_sums){{vmull_n_s16(vget_low_s16(a), w[k]), vmull_high_n_s16(a, w[k])}}, pairs.val[1], w[k + 2]);
}

INLINE lane_sums weighed_more(lane_sums sums, word_pairs pairs, line_weights w, const int k) {
  return more(more(sums, pairs.val[0], w[k]), pairs.val[1], w[k + 2]);
}

/// Does nothing: `shifted` includes the rounding.
INLINE lane_sums prepared(lane_sums sums, const int shift) {
  (void)shift;
  return sums;
}

INLINE lane_sums sum_of(lane_sums a, lane_sums b) {
  return (lane_sums){{vaddq_s32(a.val[0], b.val[0]), vaddq_s32(a.val[1], b.val[1])}};
}

INLINE lane_sums difference_of(lane_sums a, lane_sums b) {
  return (lane_sums){{vsubq_s32(a.val[0], b.val[0]), vsubq_s32(a.val[1], b.val[1])}};
}

/// Shifts right by 11 or by 18. For 18 it takes the upper halves, and shifts them by 2.
INLINE lane_values shifted(lane_sums s, const int shift) {
  if (shift == 11) return vqrshrn_high_n_s32(vqrshrn_n_s32(s.val[0], 11), s.val[1], 11);
  return vrshrq_n_s16(vuzp2q_s16(vreinterpretq_s16_s32(s.val[0]), vreinterpretq_s16_s32(s.val[1])), 2);
}

INLINE word_pairs joined(lane_values lower, lane_values upper, extent *e) {
  extend(e, lower);
  extend(e, upper);
  return (word_pairs){{lower, upper}};
}

/// 16 bytes of a row, made of the columns' bytes: `n` bytes for each block.
INLINE uint8x16_t sixteen(const int n, uint8x16x4_t columns, const int first) {
  uint8_t order[16];
#pragma clang loop unroll(full)
  for (int i = 0; i < 16; i++) order[i] = (uint8_t)((first + i) % n * 8 + (first + i) / n);
  const uint8x16_t places = vld1q_u8(order);
  if (n <= 2) return vqtbl1q_u8(columns.val[0], places);
  if (n <= 4) return vqtbl2q_u8((uint8x16x2_t){{columns.val[0], columns.val[1]}}, places);
  if (n <= 6) return vqtbl3q_u8((uint8x16x3_t){{columns.val[0], columns.val[1], columns.val[2]}}, places);
  return vqtbl4q_u8(columns, places);
}

INLINE uint8x8_t column_bytes(int16x8_t column, extent *e) {
  extend(e, column);
  return vqmovun_s16(vaddq_s16(column, vdupq_n_s16(128)));
}

/// Writes one row of all blocks. The last store may write up to 8 surplus bytes.
INLINE void put_row(const int n, const lane_values *columns, uint8_t *to, extent *e) {
  uint8x16x4_t bytes;
#pragma clang loop unroll(full)
  for (int x = 0; x < n; x += 2) {
    uint8x8_t first = column_bytes(columns[x], e);
    bytes.val[x / 2] = vcombine_u8(first, x + 1 < n ? column_bytes(columns[x + 1], e) : first);
  }
#pragma clang loop unroll(full)
  for (int i = 0; i < 8 * n; i += 16) vst1q_u8(to + i, sixteen(n, bytes, i));
}

/// Writes an eighth of the lower word of each pair, as bytes.
INLINE void put_means(word_pairs pairs, uint8_t *to, extent *e) {
  vst1_u8(to, column_bytes(vrshrq_n_s16(pairs.val[0], 3), e));
}
