// Divides a picture into bands before it is decoded.
#include <string.h>

#include "state.h"
#include "transform.h"

/// Finds the next 0xFF that is not followed by 0.
static const uint8_t *next_marker(const uint8_t *p, const uint8_t *end) {
  while (end - p >= 2 && (p = memchr(p, 0xFF, (size_t)(end - p - 1)))) {
    if (p[1]) return p;
    p += 2;
  }
  return NULL;
}

/// - Returns: the last zigzag place that is needed.
static unsigned prepare_slots(baseline_jpeg *d) {
  unsigned last = 0;
  const int n = d->eighths;
  for (int c = 0; c < d->count; c++) {
    for (unsigned k = 0; k < 256; k++) {
      slot s = {(uint16_t)(batch_bytes(n) - 32), 0};
      int x = zigzag_order[k & 63] & 7, y = zigzag_order[k & 63] >> 3;
      if (k < 64 && is_needed(n, x) && is_needed(n, y)) {
        s = (slot){(uint16_t)batch_place(n, x, y), d->quantisation[d->components[c].quantisation][k]};
        if (k > last) last = k;
      }
      d->slots[c][k] = s;
    }
  }
  return last;
}

static int greatest_common_divisor(int a, int b) {
  while (b) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/// - Returns: whether all bands but the first begin behind a marker, and every marker up to them has the right number.
static int divide(baseline_jpeg *d, int most_bands) {
  if (!d->restart || most_bands < 2) return 0;
  // After each `step` rows an interval ends at the end of a row.
  const int step = d->restart / greatest_common_divisor(d->restart, d->across);
  const int rows = ((d->down + most_bands - 1) / most_bands + step - 1) / step * step;
  const uint8_t *at = d->data;
  int restarts = 0, count = 0;
  for (int row = 0; row < d->down; row += rows) {
    for (const int before = (int)((long)row * d->across / d->restart); restarts < before; restarts++) {
      at = next_marker(at, d->end);
      if (!at || at[1] != 0xD0 + (restarts & 7)) return 0;
      at += 2;
    }
    const int end_row = d->down - row < rows ? d->down : row + rows;
    d->bands[count++] = (band){at, row, end_row, restarts};
  }
  d->band_count = count;
  return 1;
}

int baseline_jpeg_begin(
    baseline_jpeg *d, int eighths, uint8_t *const *planes, const int32_t *strides, const int32_t *rows, int most_bands) {
  d->band_count = 0;
  if (eighths < 1 || eighths > 8 || most_bands < 1 || most_bands > BASELINE_JPEG_MOST_BANDS || !d->data) return 0;
  d->eighths = eighths;
  for (int c = 0; c < d->count; c++) {
    d->planes[c] = planes[c];
    d->strides[c] = strides[c];
    d->rows[c] = rows[c];
  }
  const component *luma = &d->components[0];
  d->across = (d->width + 8 * luma->h - 1) / (8 * luma->h);
  d->down = (d->height + 8 * luma->v - 1) / (8 * luma->v);
  d->last = prepare_slots(d);
  d->batch_bytes = batch_bytes(eighths);
  if (!divide(d, most_bands)) {
    d->bands[0] = (band){d->data, 0, d->down, 0};
    d->band_count = 1;
  }
  return d->band_count;
}
