#include "pixel_math.h"

enum { fraction = 14 };

static uint8_t clamped(int32_t value) { return value < 0 ? 0 : value > 255 ? 255 : (uint8_t)value; }

static void luma_from(int32_t x, const uint8_t *from, uint8_t *to, const int32_t *offsets, int16_t gain, int32_t width) {
  for (; x < width; x++) to[x] = clamped((from[x] * gain + offsets[x]) >> fraction);
}

static void chroma_from(
    int32_t x, const uint8_t *cb, const uint8_t *cr, uint8_t *to, int16_t from_cb, int16_t from_cr, int32_t width) {
  const int32_t zero = (128 << fraction) + (1 << (fraction - 1));
  for (; x < width; x++) to[x] = clamped(((cb[x] - 128) * from_cb + (cr[x] - 128) * from_cr + zero) >> fraction);
}

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

AVX2 static inline __m256i words_of(const uint8_t *from) {
  return _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)from));
}

/// Stores sixteen sums as bytes; groups of four alternate between both halves.
AVX2 static inline void store_sums(uint8_t *to, __m256i low, __m256i high) {
  __m256i words = _mm256_packs_epi32(_mm256_srai_epi32(low, fraction), _mm256_srai_epi32(high, fraction));
  words = _mm256_permute4x64_epi64(_mm256_packus_epi16(words, words), 0x08);
  _mm_storeu_si128((__m128i *)to, _mm256_castsi256_si128(words));
}

AVX2 static int32_t luma_fast(
    const uint8_t *from, uint8_t *to, const int32_t *offsets, int16_t gain, int32_t width) {
  const __m256i zero = _mm256_setzero_si256(), gains = _mm256_set1_epi32((uint16_t)gain);
  int32_t x = 0;
  for (; x + 16 <= width; x += 16) {
    __m256i y = words_of(from + x);
    __m256i first = _mm256_loadu_si256((const __m256i *)(offsets + x));
    __m256i second = _mm256_loadu_si256((const __m256i *)(offsets + x + 8));
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(y, zero), gains);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(y, zero), gains);
    low = _mm256_add_epi32(low, _mm256_permute2x128_si256(first, second, 0x20));
    high = _mm256_add_epi32(high, _mm256_permute2x128_si256(first, second, 0x31));
    store_sums(to + x, low, high);
  }
  return x;
}

AVX2 static int32_t chroma_fast(
    const uint8_t *cb, const uint8_t *cr, uint8_t *to, int16_t from_cb, int16_t from_cr, int32_t width) {
  const __m256i middle = _mm256_set1_epi16(128), zero = _mm256_set1_epi32((128 << fraction) + (1 << (fraction - 1)));
  const __m256i weights = _mm256_set1_epi32((int32_t)((uint16_t)from_cb | (uint32_t)(uint16_t)from_cr << 16));
  int32_t x = 0;
  for (; x + 16 <= width; x += 16) {
    __m256i u = _mm256_sub_epi16(words_of(cb + x), middle), v = _mm256_sub_epi16(words_of(cr + x), middle);
    __m256i low = _mm256_madd_epi16(_mm256_unpacklo_epi16(u, v), weights);
    __m256i high = _mm256_madd_epi16(_mm256_unpackhi_epi16(u, v), weights);
    store_sums(to + x, _mm256_add_epi32(low, zero), _mm256_add_epi32(high, zero));
  }
  return x;
}

static bool is_fast(void) { return __builtin_cpu_supports("avx2"); }
#elif defined(__aarch64__)
#include "neon.h"

static int32_t luma_fast(
    const uint8_t *from, uint8_t *to, const int32_t *offsets, int16_t gain, int32_t width) {
  const int16x8_t gains = kept(vdupq_n_s16(gain));
  int32_t x = 0;
  for (; x + 16 <= width; x += 16)
    vst1q_u8(to + x, narrowed(added(vld1q_s32_x4(offsets + x), vld1q_u8(from + x), gains, 0)));
  return x;
}

static int32_t chroma_fast(
    const uint8_t *cb, const uint8_t *cr, uint8_t *to, int16_t from_cb, int16_t from_cr, int32_t width) {
  const int16x8_t by_cb = kept(vdupq_n_s16(from_cb)), by_cr = kept(vdupq_n_s16(from_cr));
  // The contribution of 128 in both chroma values is part of this constant.
  const int32x4_t zero = vdupq_n_s32((128 << fraction) + (1 << (fraction - 1)) - 128 * (from_cb + from_cr));
  const sums16 zeros = {{zero, zero, zero, zero}};
  int32_t x = 0;
  for (; x + 16 <= width; x += 16)
    vst1q_u8(to + x, narrowed(added(added(zeros, vld1q_u8(cb + x), by_cb, 0), vld1q_u8(cr + x), by_cr, 0)));
  return x;
}

static bool is_fast(void) { return true; }
#else
#define luma_fast(from, to, offsets, gain, width) 0
#define chroma_fast(cb, cr, to, from_cb, from_cr, width) 0
static bool is_fast(void) { return false; }
#endif

void cpixel_recolor_luma(
    const uint8_t *from, uint8_t *to, const int32_t *offsets, int16_t gain, int32_t width, bool is_plain) {
  int32_t done = !is_plain && is_fast() ? luma_fast(from, to, offsets, gain, width) : 0;
  luma_from(done, from, to, offsets, gain, width);
}

void cpixel_recolor_chroma(
    const uint8_t *cb, const uint8_t *cr, uint8_t *to, int16_t from_cb, int16_t from_cr, int32_t width, bool is_plain) {
  int32_t done = !is_plain && is_fast() ? chroma_fast(cb, cr, to, from_cb, from_cr, width) : 0;
  chroma_from(done, cb, cr, to, from_cb, from_cr, width);
}
