// Operations that Swift's SIMD types lack: pairs of 16-bit numbers multiplied and added in one instruction, sums narrowed with saturation, and
// instructions chosen at run time. Plain C with the same results for processors without them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define CPIXEL_INLINE static inline __attribute__((always_inline))

typedef int16_t cpixel_words __attribute__((vector_size(16)));
typedef int32_t cpixel_sums __attribute__((vector_size(16)));

#if defined(__SSE2__)
typedef int64_t cpixel_longs __attribute__((vector_size(16)));

// The four words at `a` and the four at `b`, alternating.
CPIXEL_INLINE cpixel_words cpixel_pairs(const int16_t *_Nonnull a, const int16_t *_Nonnull b) {
  cpixel_longs p = {0, 0}, q = {0, 0};
  memcpy(&p, a, 8);
  memcpy(&q, b, 8);
  return __builtin_shufflevector((cpixel_words)p, (cpixel_words)q, 0, 8, 1, 9, 2, 10, 3, 11);
}

CPIXEL_INLINE cpixel_words cpixel_mix(
    const int16_t *_Nonnull a, const int16_t *_Nonnull b, const int16_t *_Nonnull c, const int16_t *_Nonnull d,
    int32_t p, int32_t q, int32_t r, int32_t s, int shift) {
  int32_t pq = p | q << 16, rs = r | s << 16;
  cpixel_sums ab = {pq, pq, pq, pq}, cd = {rs, rs, rs, rs};
  int32_t half = 1 << (shift - 1);
  cpixel_sums sums = {half, half, half, half};
  sums += (cpixel_sums)__builtin_ia32_pmaddwd128(cpixel_pairs(a, b), (cpixel_words)ab);
  sums += (cpixel_sums)__builtin_ia32_pmaddwd128(cpixel_pairs(c, d), (cpixel_words)cd);
  sums = (cpixel_sums)__builtin_ia32_psradi128(sums, shift);
  return (cpixel_words)__builtin_ia32_packssdw128(sums, sums);
}
#else
typedef int16_t cpixel_four __attribute__((vector_size(8)));
typedef uint8_t cpixel_bytes __attribute__((vector_size(8)));

// The four words at `a`, times a weight.
CPIXEL_INLINE cpixel_sums cpixel_weighed(const int16_t *_Nonnull a, int32_t weight) {
  cpixel_four words;
  memcpy(&words, a, 8);
  return __builtin_convertvector(words, cpixel_sums) * (int32_t)(int16_t)weight;
}

CPIXEL_INLINE cpixel_words cpixel_mix(
    const int16_t *_Nonnull a, const int16_t *_Nonnull b, const int16_t *_Nonnull c, const int16_t *_Nonnull d,
    int32_t p, int32_t q, int32_t r, int32_t s, int shift) {
  cpixel_sums sums = cpixel_weighed(a, p) + cpixel_weighed(b, q) + cpixel_weighed(c, r) + cpixel_weighed(d, s);
  sums = (sums + (1 << (shift - 1))) >> shift;
  sums = __builtin_elementwise_min(__builtin_elementwise_max(sums, (cpixel_sums){} - 32768), (cpixel_sums){} + 32767);
  cpixel_four mixed = __builtin_convertvector(sums, cpixel_four);
  return __builtin_shufflevector(mixed, mixed, 0, 1, 2, 3, 0, 1, 2, 3);
}
#endif

/// Four words at each of four addresses, times one weight each, added, rounded and shifted right; returned as four bytes, the first in the lowest,
/// clamped to 0…255. The weights are 0…32767, and so is their sum.
CPIXEL_INLINE uint32_t cpixel_mix_bytes(
    const int16_t *_Nonnull a, const int16_t *_Nonnull b, const int16_t *_Nonnull c, const int16_t *_Nonnull d,
    int32_t p, int32_t q, int32_t r, int32_t s, int32_t shift) {
  cpixel_words mixed = cpixel_mix(a, b, c, d, p, q, r, s, shift);
#if defined(__SSE2__)
  cpixel_sums bytes = (cpixel_sums)__builtin_ia32_packuswb128(mixed, mixed);
  return (uint32_t)bytes[0];
#else
  mixed = __builtin_elementwise_min(__builtin_elementwise_max(mixed, (cpixel_words){}), (cpixel_words){} + 255);
  cpixel_bytes bytes = __builtin_convertvector(mixed, cpixel_bytes);
  uint32_t first;
  memcpy(&first, &bytes, 4);
  return first;
#endif
}

/// Like `cpixel_mix_bytes`, but returned as four 16-bit words, clamped to 0…`most`, the first in the lowest.
CPIXEL_INLINE uint64_t cpixel_mix_words(
    const int16_t *_Nonnull a, const int16_t *_Nonnull b, const int16_t *_Nonnull c, const int16_t *_Nonnull d,
    int32_t p, int32_t q, int32_t r, int32_t s, int32_t shift, int16_t most) {
  cpixel_words mixed = cpixel_mix(a, b, c, d, p, q, r, s, shift);
  mixed = __builtin_elementwise_min(__builtin_elementwise_max(mixed, (cpixel_words){}), (cpixel_words){} + most);
  uint64_t words;
  memcpy(&words, &mixed, 8);
  return words;
}

/// Computes a row of bytes as the weighted sum of others: Σ weight · sample / 16384, rounded, clamped to 0…255.
///
/// - Parameters:
///   - first: the first of `taps` rows, which are `stride` bytes apart; each has `width` bytes.
///   - weights: the weight of each of the `taps` rows, in 1/16384; the sum of their magnitudes is at most 65536.
///   - row: the result; must not overlap the rows.
///   - is_plain: whether to avoid the instructions of newer processors, for comparison.
void cpixel_weigh_rows(
    const uint8_t *_Nonnull first, ptrdiff_t stride, const int16_t *_Nonnull weights, int32_t taps, int32_t width,
    uint8_t *_Nonnull row, bool is_plain);

/// Converts luma to other colours: (gain · sample + offset) / 16384, clamped to 0…255.
/// - Parameters:
///   - offsets: the offset of each of the `width` samples, in 1/16384.
///   - gain: the factor on every sample, in 1/16384.
///   - is_plain: whether to avoid the instructions of newer processors, for comparison.
void cpixel_recolor_luma(
    const uint8_t *_Nonnull from, uint8_t *_Nonnull to, const int32_t *_Nonnull offsets, int16_t gain, int32_t width,
    bool is_plain);

/// Converts chroma to other colours: both components, minus 128, times one weight each in 1/16384, plus 128, rounded, clamped to 0…255.
void cpixel_recolor_chroma(
    const uint8_t *_Nonnull cb, const uint8_t *_Nonnull cr, uint8_t *_Nonnull to, int16_t from_cb, int16_t from_cr,
    int32_t width, bool is_plain);
