// NEON instructions, which every arm64 processor has.
#pragma once
#include <arm_neon.h>

static inline int16x8_t low_words(uint8x16_t bytes) { return vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(bytes))); }
static inline int16x8_t high_words(uint8x16_t bytes) { return vreinterpretq_s16_u16(vmovl_high_u8(bytes)); }

/// Sixteen sums.
typedef int32x4x4_t sums16;

/// Keeps weights in a register whose lanes instructions can select. Otherwise the compiler sees that all are equal, and moves the upper words before
/// it multiplies them.
static inline int16x8_t kept(int16x8_t weights) {
  __asm__("" : "+w"(weights));
  return weights;
}

static inline sums16 added(sums16 s, uint8x16_t bytes, int16x8_t weights, const int lane) {
  int16x8_t low = low_words(bytes), high = high_words(bytes);
  s.val[0] = vmlal_n_s16(s.val[0], vget_low_s16(low), weights[lane]);
  s.val[1] = vmlal_high_n_s16(s.val[1], low, weights[lane]);
  s.val[2] = vmlal_n_s16(s.val[2], vget_low_s16(high), weights[lane]);
  s.val[3] = vmlal_high_n_s16(s.val[3], high, weights[lane]);
  return s;
}

/// The first product of a sum, with the first weight.
static inline sums16 multiplied(uint8x16_t bytes, int16x8_t weights) {
  int16x8_t low = low_words(bytes), high = high_words(bytes);
  return (sums16){
      {vmull_n_s16(vget_low_s16(low), weights[0]), vmull_high_n_s16(low, weights[0]),
       vmull_n_s16(vget_low_s16(high), weights[0]), vmull_high_n_s16(high, weights[0])}};
}

/// The sums shifted right by 14, clamped to 0…255.
static inline uint8x16_t narrowed(sums16 s) {
  uint16x8_t low = vqshrun_high_n_s32(vqshrun_n_s32(s.val[0], 14), s.val[1], 14);
  uint16x8_t high = vqshrun_high_n_s32(vqshrun_n_s32(s.val[2], 14), s.val[3], 14);
  return vqmovn_high_u16(vqmovn_u16(low), high);
}

/// The sums shifted right by 14, rounded half up, clamped to 0…255.
static inline uint8x16_t rounded(sums16 s) {
  uint16x8_t low = vqrshrun_high_n_s32(vqrshrun_n_s32(s.val[0], 14), s.val[1], 14);
  uint16x8_t high = vqrshrun_high_n_s32(vqrshrun_n_s32(s.val[2], 14), s.val[3], 14);
  return vqmovn_high_u16(vqmovn_u16(low), high);
}
