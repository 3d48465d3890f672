// The transforms without lanes: the reference for those with lanes, and the fallback for processors without the instructions.
#include <string.h>

#include "transform.h"
#include "weights.h"

static void extend(int32_t value, int16_t *most, int16_t *least) {
  if (value > *most) *most = (int16_t)value;
  if (value < *least) *least = (int16_t)value;
}

/// Adds unsigned numbers, because the sums may wrap in a picture that is refused afterwards.
static int32_t weighed(int n, int place, const int32_t *line, int shift) {
  uint32_t sum = 1u << (shift - 1);
  for (int k = 0; k < 8; k++) sum += (uint32_t)(line[k] * weights[n][place][k]);
  return (int32_t)sum >> shift;
}

INLINE void transform_block(const int n, const int16_t *lane, uint8_t *out, long stride, transform_range *range) {
  int32_t columns[8][8] = {{0}};
  for (int x = 0; x < 8; x++)
    for (int y = 0; y < 8; y++)
      if (is_needed(n, x) && is_needed(n, y)) columns[x][y] = lane[batch_place(n, x, y) / 2];
  for (int y = 0; y < n; y++, out += stride) {
    int32_t line[8];
    for (int x = 0; x < 8; x++) {
      int32_t sum = weighed(n, y, columns[x], 11);
      line[x] = sum < -32768 ? -32768 : sum > 32767 ? 32767 : sum;
      // At 1/8 no sum can be too large.
      if (n > 1) extend(line[x], range->most, range->least);
    }
    for (int x = 0; x < n; x++) {
      int32_t sample = weighed(n, x, line, 18);
      extend(sample, range->highest, range->lowest);
      out[x] = (uint8_t)(sample < -128 ? 0 : sample > 127 ? 255 : sample + 128);
    }
  }
}

#define PLAIN(n) \
  static void plain_##n(int16_t *batch, uint8_t *out, long stride, transform_range *range) { \
    for (int block = 0; block < 8; block++) transform_block(n, batch + block * LANE_WORDS, out + block * n, stride, range); \
    memset(batch, 0, (size_t)batch_bytes(n)); \
  }
PLAIN(1)
PLAIN(2)
PLAIN(3)
PLAIN(4)
PLAIN(5)
PLAIN(6)
PLAIN(7)
PLAIN(8)

transform *plain_transform_of(int eighths) {
  static transform *const all[] = {plain_1, plain_2, plain_3, plain_4, plain_5, plain_6, plain_7, plain_8};
  return all[eighths - 1];
}
