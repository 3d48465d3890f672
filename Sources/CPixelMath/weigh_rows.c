#include <stddef.h>

#include "pixel_math.h"

enum { shift = 14, half = 1 << (shift - 1), block = 64 };

// Columns at a time, so that their sums stay where they are added.
static void weigh(const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  for (int start = 0; start < width; start += block) {
    int count = width - start < block ? width - start : block;
    int32_t sums[block];
    for (int x = 0; x < block; x++) sums[x] = half;
    int tap = 0;
    // By pairs: compilers then multiply and add two 16-bit numbers in one instruction.
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

// Sixteen and sixteen columns, as bytes are interleaved: four sums of each half, then the next four.
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
    // The last columns once more, rather than one by one.
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

// Thirty-two columns.
typedef struct {
  sums16 left, right;
} sums32;

static inline sums32 more(sums32 s, const uint8_t *at, int16x8_t weights, const int lane) {
  return (sums32){added(s.left, vld1q_u8(at), weights, lane), added(s.right, vld1q_u8(at + 16), weights, lane)};
}

static void weigh_fast(
    const uint8_t *first, ptrdiff_t stride, const int16_t *weights, int taps, int width, uint8_t *row) {
  const int32x4_t most = vdupq_n_s32(half);
  for (int x = 0;; x += 32) {
    // The last columns once more, rather than one by one.
    if (x > width - 32) x = width - 32;
    sums32 sums = {{{most, most, most, most}}, {{most, most, most, most}}};
    const uint8_t *at = first + x;
    int tap = 0;
    for (; tap + 3 < taps; tap += 4, at += 4 * stride) {
      int16x8_t four = kept(vcombine_s16(vld1_s16(weights + tap), vdup_n_s16(0)));
      sums = more(more(sums, at, four, 0), at + stride, four, 1);
      sums = more(more(sums, at + 2 * stride, four, 2), at + 3 * stride, four, 3);
    }
    for (; tap < taps; tap++, at += stride) sums = more(sums, at, kept(vdupq_n_s16(weights[tap])), 0);
    vst1q_u8(row + x, narrowed(sums.left));
    vst1q_u8(row + x + 16, narrowed(sums.right));
    if (x == width - 32) return;
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
