#include <stddef.h>

#include "pixel_math.h"

enum { shift = 14, half = 1 << (shift - 1), block = 64 };

// Processes `block` columns at a time, so that their sums stay in the cache.
static void weigh(const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  for (int start = 0; start < width; start += block) {
    int count = width - start < block ? width - start : block;
    int32_t sums[block];
    for (int x = 0; x < block; x++) sums[x] = half;
    int tap = 0;
    // In pairs, so that compilers multiply and add two 16-bit numbers in one instruction.
    for (; tap + 1 < taps; tap += 2) {
      const uint8_t *a = first + tap * stride + start, *b = a + stride;
      int32_t p = weights[tap], q = weights[tap + 1];
      for (int x = 0; x < count; x++) sums[x] += a[x] * p + b[x] * q;
    }
    if (tap < taps) {
      const uint8_t *a = first + tap * stride + start;
      for (int x = 0; x < count; x++) sums[x] += a[x] * weights[tap];
    }
    for (int x = 0; x < count; x++) {
      int32_t value = sums[x] >> shift;
      row[start + x] = value < 0 ? 0 : value > 255 ? 255 : value;
    }
  }
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

// The sums of 32 columns. Each vector has the sums of four columns of the first half, then of the same four columns of the second half.
typedef struct {
  __m256i a, b, c, d;
} sums32;

AVX2 static inline __attribute__((always_inline)) sums32 added(sums32 s, __m256i x, __m256i y, __m256i weights) {
  __m256i zero = _mm256_setzero_si256();
  __m256i low = _mm256_unpacklo_epi8(x, y), high = _mm256_unpackhi_epi8(x, y);
  s.a = _mm256_add_epi32(s.a, _mm256_madd_epi16(_mm256_unpacklo_epi8(low, zero), weights));
  s.b = _mm256_add_epi32(s.b, _mm256_madd_epi16(_mm256_unpackhi_epi8(low, zero), weights));
  s.c = _mm256_add_epi32(s.c, _mm256_madd_epi16(_mm256_unpacklo_epi8(high, zero), weights));
  s.d = _mm256_add_epi32(s.d, _mm256_madd_epi16(_mm256_unpackhi_epi8(high, zero), weights));
  return s;
}

AVX2 static inline __attribute__((always_inline)) __m256i loaded(const uint8_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

AVX2 static void weigh_fast(
    const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  __m256i most = _mm256_set1_epi32(half);
  for (int x = 0;; x += 32) {
    // Process the last columns as a full group, some of them a second time, instead of one by one.
    if (x > width - 32) x = width - 32;
    sums32 sums = {most, most, most, most};
    const uint8_t *at = first + x;
    int tap = 0;
    for (; tap + 1 < taps; tap += 2, at += 2 * stride) {
      __m256i pair = _mm256_set1_epi32((uint16_t)weights[tap] | (uint32_t)(uint16_t)weights[tap + 1] << 16);
      sums = added(sums, loaded(at), loaded(at + stride), pair);
    }
    if (tap < taps) {
      sums = added(sums, loaded(at), _mm256_setzero_si256(), _mm256_set1_epi32((uint16_t)weights[tap]));
    }
    __m256i low = _mm256_packs_epi32(_mm256_srai_epi32(sums.a, shift), _mm256_srai_epi32(sums.b, shift));
    __m256i high = _mm256_packs_epi32(_mm256_srai_epi32(sums.c, shift), _mm256_srai_epi32(sums.d, shift));
    _mm256_storeu_si256((__m256i *)(row + x), _mm256_packus_epi16(low, high));
    if (x == width - 32) return;
  }
}

static bool is_fast(void) { return __builtin_cpu_supports("avx2"); }
#elif defined(__aarch64__)
#include "neon.h"

// `known` is `taps` if this is compiled for that number, so that the weights stay in a register; otherwise 0.
static inline __attribute__((always_inline)) void weigh_neon(
    const int known, const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  int16_t eight[8] = {weights[0]};
  memcpy(eight, weights, (size_t)known * sizeof *weights);
  const int16x8_t kept_weights = kept(vld1q_s16(eight));
  for (int x = 0;; x += 32) {
    // Process the last columns as a full group, some of them a second time, instead of one by one.
    if (x > width - 32) x = width - 32;
    const uint8_t *at = first + x;
    sums16 left = multiplied(vld1q_u8(at), kept_weights), right = multiplied(vld1q_u8(at + 16), kept_weights);
#pragma clang loop unroll(full)
    for (int tap = 1; tap < known; tap++) {
      at += stride;
      left = added(left, vld1q_u8(at), kept_weights, tap);
      right = added(right, vld1q_u8(at + 16), kept_weights, tap);
    }
    for (int tap = 1; !known && tap < taps; tap++) {
      const int16x8_t weight = kept(vdupq_n_s16(weights[tap]));
      at += stride;
      left = added(left, vld1q_u8(at), weight, 0);
      right = added(right, vld1q_u8(at + 16), weight, 0);
    }
    vst1q_u8(row + x, rounded(left));
    vst1q_u8(row + x + 16, rounded(right));
    if (x == width - 32) return;
  }
}

static void weigh_fast(
    const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  switch (taps) {
    case 2: return weigh_neon(2, first, stride, weights, taps, width, row);
    case 3: return weigh_neon(3, first, stride, weights, taps, width, row);
    case 4: return weigh_neon(4, first, stride, weights, taps, width, row);
    case 5: return weigh_neon(5, first, stride, weights, taps, width, row);
    case 6: return weigh_neon(6, first, stride, weights, taps, width, row);
    case 7: return weigh_neon(7, first, stride, weights, taps, width, row);
    case 8: return weigh_neon(8, first, stride, weights, taps, width, row);
    default: return weigh_neon(0, first, stride, weights, taps, width, row);
  }
}

static bool is_fast(void) { return true; }
#else
#define weigh_fast weigh
static bool is_fast(void) { return false; }
#endif

void cpixel_weigh_rows(
    const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int32_t taps, int32_t width, uint8_t *row,
    bool is_plain) {
  if (width >= 32 && !is_plain && is_fast()) return weigh_fast(first, stride, weights, taps, width, row);
  weigh(first, stride, weights, taps, width, row);
}
