#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "transform.h"

#if defined(__x86_64__)

static int has_instructions(void) {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
}

int baseline_jpeg_is_fast(void) {
#if defined(__OPTIMIZE__)
  return has_instructions();
#else
  return 0;
#endif
}

baseline_jpeg *baseline_jpeg_open(void) {
  if (!has_instructions()) return NULL;
  size_t bytes = (sizeof(baseline_jpeg) + 63) / 64 * 64;
  baseline_jpeg *d = aligned_alloc(64, bytes);
  if (d) memset(d, 0, bytes);
  return d;
}

void baseline_jpeg_close(baseline_jpeg *d) { free(d); }

/// Moves what is left from `from` on to the front of the chunk, and unstuffs more behind it: 0xFF 0x00 is a byte of 0xFF, any other 0xFF a marker.
static void fill_chunk(baseline_jpeg *d, const uint8_t *from) {
  size_t kept = from < d->data_end ? (size_t)(d->data_end - from) : 0;
  memmove(d->chunk, from, kept);
  uint8_t *out = d->chunk + kept, *full = d->chunk + CHUNK + MARGIN;
  while (out < full && !d->ended) {
    size_t room = (size_t)(full - out), there = (size_t)(d->end - d->next);
    if (there < 2) {
      d->ended = 1;
      break;
    }
    size_t most = room < there - 1 ? room : there - 1;
    const uint8_t *mark = memchr(d->next, 0xFF, most);
    size_t run = mark ? (size_t)(mark - d->next) : most;
    memcpy(out, d->next, run);
    out += run;
    d->next += run;
    if (!mark || out == full) continue;
    if (d->next[1] == 0) {
      *out++ = 0xFF;
      d->next += 2;
    } else {
      d->ended = 1;
    }
  }
  d->data_end = out;
  memset(out, 0, (size_t)(d->chunk + sizeof d->chunk - out));
  d->limit = d->ended ? out + 64 : d->chunk + CHUNK;
}

static void begin_data(baseline_jpeg *d, bit_reader *r) {
  d->ended = 0;
  d->data_end = d->chunk;
  fill_chunk(d, d->chunk);
  *r = (bit_reader){0, 0, d->chunk};
}

/// More data behind those that have not been read.
static void read_on(baseline_jpeg *d, bit_reader *r) {
  int part = r->left & 7;
  fill_chunk(d, r->next - (r->left >> 3) - (part ? 1 : 0));
  *r = (bit_reader){0, 0, d->chunk};
  if (!part) return;
  refill(r);
  take(r, 8 - part);
}

/// Whether all data up to a marker have been used, but for the bits that fill the last byte.
static int is_used_up(baseline_jpeg *d, bit_reader *r) {
  if (!d->ended) read_on(d, r);
  long left = (d->data_end - r->next) * 8 + r->left;
  return d->ended && left >= 0 && left < 8 && d->end - d->next >= 2 && d->next[0] == 0xFF;
}

/// - Returns: the last zigzag place that is of use.
static unsigned prepare_slots(baseline_jpeg *d, int n) {
  unsigned last = 0;
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

/// Where a picture is put.
typedef struct {
  int n;
  uint8_t *const *planes;
  const int32_t *strides, *rows;
  transform_range range;
} canvas;

/// Transforms the batches of `count` MCUs from column `mx` of row `my` on.
static void put_strip(baseline_jpeg *d, canvas *to, int my, int mx, int count, const unsigned *last_places) {
  const int n = to->n, bytes = batch_bytes(n);
  char *batch = (char *)d->coefficients;
  for (int c = 0; c < d->count; c++) {
    const component *p = &d->components[c];
    const long stride = to->strides[c];
    for (int v = 0; v < p->v; v++) {
      const int row = (my * p->v + v) * n;
      for (int h = 0; h < p->h; h++, batch += bytes, last_places++) {
        const long column = ((long)mx * p->h + h * 8) * n;
        if (h * 8 >= count * p->h) continue;
        if (row >= to->rows[c] || column >= stride) {
          memset(batch, 0, (size_t)bytes);
          continue;
        }
        // Ten coefficients in zigzag order lie in the corner of 4 × 4.
        transform *f = transform_of(n, *last_places <= 11);
        uint8_t *out = to->planes[c] + row * stride + column;
        if (LIKELY(column + 8 * n + 8 <= stride && row + n <= to->rows[c])) {
          f((int16_t *)batch, out, stride, &to->range);
          continue;
        }
        uint8_t edge[8][96];
        f((int16_t *)batch, edge[0], sizeof edge[0], &to->range);
        const long width = stride - column < 8 * n ? stride - column : 8 * n;
        for (int y = 0; y < n && row + y < to->rows[c]; y++) memcpy(out + y * stride, edge[y], (size_t)width);
      }
    }
  }
}

/// Whether any implementation of libjpeg has the same samples: nothing was saturated, and nothing wrapped.
static int is_certain(const transform_range *range, uint32_t large) {
  if (large >> 14) return 0;
  for (int i = 0; i < 16; i++) {
    if (range->most[i] > 16383 || range->least[i] < -16384) return 0;
    if (range->highest[i] > 511 || range->lowest[i] < -512) return 0;
  }
  return 1;
}

FAST int baseline_jpeg_decode(
    baseline_jpeg *d, int eighths, uint8_t *const *planes, const int32_t *strides, const int32_t *rows) {
  if (eighths < 1 || eighths > 8 || !d->next) REFUSE;
  const unsigned last = prepare_slots(d, eighths);
  const component *luma = &d->components[0];
  const int across = (d->width + 8 * luma->h - 1) / (8 * luma->h), down = (d->height + 8 * luma->v - 1) / (8 * luma->v);
  const int bytes = batch_bytes(eighths);
  canvas to = {.n = eighths, .planes = planes, .strides = strides, .rows = rows};
  memset(d->coefficients, 0, sizeof d->coefficients);
  bit_reader r;
  begin_data(d, &r);
  int32_t predicted[3] = {0, 0, 0};
  uint32_t large = 0;
  int until_restart = d->restart, restarts = 0;
  for (int my = 0; my < down; my++) {
    for (int mx = 0; mx < across; mx += STRIP) {
      const int count = across - mx < STRIP ? across - mx : STRIP;
      unsigned last_places[6] = {0};
      for (int m = 0; m < count; m++) {
        if (UNLIKELY(d->restart && until_restart-- == 0)) {
          if (!is_used_up(d, &r) || d->next[1] != 0xD0 + (restarts++ & 7)) REFUSE;
          d->next += 2;
          begin_data(d, &r);
          memset(predicted, 0, sizeof predicted);
          until_restart = d->restart - 1;
        }
        if (UNLIKELY(r.next > d->limit)) {
          if (d->ended) REFUSE;
          read_on(d, &r);
        }
        int first = 0;  // of the component's batches
        for (int c = 0; c < d->count; c++) {
          const component *p = &d->components[c];
          for (int v = 0; v < p->v; v++, first += p->h) {
            for (int h = 0; h < p->h; h++) {
              const int block = m * p->h + h, batch = first + (block >> 3);
              int16_t *lane = (int16_t *)((char *)d->coefficients + batch * bytes) + (block & 7) * 2;
              unsigned place = decode_block(
                  &d->dc[p->dc], &d->ac[p->ac], d->slots[c], last, lane, &predicted[c], &large, &r);
              if (UNLIKELY(!place)) REFUSE;
              if (place > last_places[batch]) last_places[batch] = place;
            }
          }
        }
      }
      put_strip(d, &to, my, mx, count, last_places);
    }
  }
  if (!is_used_up(d, &r) || d->next[1] != 0xD9) REFUSE;
  d->next = NULL;
  if (!is_certain(&to.range, large)) REFUSE;
  return 0;
}

#else

int baseline_jpeg_is_fast(void) { return 0; }
baseline_jpeg *baseline_jpeg_open(void) { return NULL; }
void baseline_jpeg_close(baseline_jpeg *d) { free(d); }
int baseline_jpeg_decode(
    baseline_jpeg *d, int eighths, uint8_t *const *planes, const int32_t *strides, const int32_t *rows) {
  (void)d, (void)eighths, (void)planes, (void)strides, (void)rows;
  REFUSE;
}

#endif
