#include "lookup_floor.h"

#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

struct lookup_floor {
  int size;
  // The offset in words of the cell of each code, along red, green and blue.
  int red[256], green[256], blue[256];
  // The position of each code in its cell, in 1/512.
  int16_t fraction[256];
  // Blue, green, red and an unused word for each node, in 1/64 codes.
  int16_t *nodes;
};

lookup_floor *lookup_floor_open(const float *rgb, int size) {
  lookup_floor *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  size_t count = (size_t)size * size * size;
  f->size = size;
  f->nodes = calloc(count, 4 * sizeof *f->nodes);
  if (!f->nodes) {
    free(f);
    return NULL;
  }
  for (size_t i = 0; i < count; i++)
    for (int c = 0; c < 3; c++) f->nodes[4 * i + 2 - c] = (int16_t)(rgb[3 * i + c] * 255 * 64 + 0.5f);
  for (int v = 0; v < 256; v++) {
    float place = v * (size - 1) / 255.0f;
    int cell = (int)place > size - 2 ? size - 2 : (int)place;
    f->fraction[v] = (int16_t)((place - cell) * 512 + 0.5f);
    f->red[v] = cell * 4;
    f->green[v] = cell * 4 * size;
    f->blue[v] = cell * 4 * size * size;
  }
  return f;
}

void lookup_floor_close(lookup_floor *f) {
  free(f->nodes);
  free(f);
}

void lookup_floor_apply(const lookup_floor *restrict f, uint8_t *restrict bgra, size_t count) {
  const int16_t *restrict nodes = f->nodes;
  const int sr = 4, sg = 4 * f->size, sb = 4 * f->size * f->size, end = sr + sg + sb;
  for (size_t i = 0; i < count; i++) {
    uint8_t *p = bgra + 4 * i;
    int b = f->fraction[p[0]], g = f->fraction[p[1]], r = f->fraction[p[2]];
    const int16_t *corner = nodes + f->blue[p[0]] + f->green[p[1]] + f->red[p[2]];
    // Ordered by the fractions, without a branch.
    int over = r >= g, more = over ? r : g, less = over ? g : r, more_step = over ? sr : sg, less_step = over ? sg : sr;
    int most = more >= b, greatest = most ? more : b, first = most ? more_step : sb;
    int least_is_less = less <= b, least = least_is_less ? less : b, second = end - (least_is_less ? less_step : sb);
    int middle = r + g + b - greatest - least;
    int w0 = 512 - greatest, w1 = greatest - middle, w2 = middle - least, w3 = least;
#if defined(__SSE2__)
    __m128i c0 = _mm_loadl_epi64((const __m128i *)corner), c1 = _mm_loadl_epi64((const __m128i *)(corner + first));
    __m128i c2 = _mm_loadl_epi64((const __m128i *)(corner + second)), c3 = _mm_loadl_epi64((const __m128i *)(corner + end));
    __m128i sum = _mm_add_epi32(
        _mm_madd_epi16(_mm_unpacklo_epi16(c0, c1), _mm_set1_epi32(w0 | w1 << 16)),
        _mm_madd_epi16(_mm_unpacklo_epi16(c2, c3), _mm_set1_epi32(w2 | w3 << 16)));
    sum = _mm_srai_epi32(_mm_add_epi32(sum, _mm_set1_epi32(1 << 14)), 15);
    sum = _mm_packs_epi32(sum, sum);
    uint32_t mixed = (uint32_t)_mm_cvtsi128_si32(_mm_packus_epi16(sum, sum));
    mixed = (mixed & 0xFFFFFF) | (uint32_t)p[3] << 24;
    memcpy(p, &mixed, 4);
#elif defined(__aarch64__)
    int32x4_t sum = vmull_n_s16(vld1_s16(corner), (int16_t)w0);
    sum = vmlal_n_s16(sum, vld1_s16(corner + first), (int16_t)w1);
    sum = vmlal_n_s16(sum, vld1_s16(corner + second), (int16_t)w2);
    sum = vmlal_n_s16(sum, vld1_s16(corner + end), (int16_t)w3);
    int16x4_t words = vqrshrn_n_s32(sum, 15);
    uint32_t mixed = vget_lane_u32(vreinterpret_u32_u8(vqmovun_s16(vcombine_s16(words, words))), 0);
    mixed = (mixed & 0xFFFFFF) | (uint32_t)p[3] << 24;
    memcpy(p, &mixed, 4);
#else
    for (int c = 0; c < 3; c++) {
      int sum = corner[c] * w0 + corner[first + c] * w1 + corner[second + c] * w2 + corner[end + c] * w3;
      sum = (sum + (1 << 14)) >> 15;
      p[c] = (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
    }
#endif
  }
}
