#include <stdlib.h>
#include <string.h>

#include "block.h"
#include "transform.h"

static int has_instructions(void) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
#else
  return 1;
#endif
}

int baseline_jpeg_is_fast(void) {
#if HAS_LANES && defined(__OPTIMIZE__)
  return has_instructions();
#else
  return 0;
#endif
}

static void *open_zeroed(size_t size) {
  if (!has_instructions()) return NULL;
  size_t bytes = (size + 63) / 64 * 64;
  void *p = aligned_alloc(64, bytes);
  if (p) memset(p, 0, bytes);
  return p;
}

baseline_jpeg *baseline_jpeg_open(int is_plain) {
  baseline_jpeg *d = open_zeroed(sizeof(baseline_jpeg));
  if (d) d->is_plain = is_plain;
  return d;
}

void baseline_jpeg_close(baseline_jpeg *d) { free(d); }

baseline_jpeg_worker *baseline_jpeg_open_worker(void) {
  baseline_jpeg_worker *w = open_zeroed(sizeof(baseline_jpeg_worker));
  if (w) w->written = w->chunk;
  return w;
}

void baseline_jpeg_close_worker(baseline_jpeg_worker *w) { free(w); }

/// Moves the unread data from `from` on to the front of the chunk, and unstuffs more behind them: 0xFF 0x00 becomes 0xFF, any other 0xFF is a marker.
static void fill_chunk(baseline_jpeg_worker *w, const uint8_t *from) {
  size_t kept = from < w->data_end ? (size_t)(w->data_end - from) : 0;
  memmove(w->chunk, from, kept);
  uint8_t *out = w->chunk + kept, *full = w->chunk + CHUNK + MARGIN;
  while (out < full && !w->ended) {
    size_t room = (size_t)(full - out), there = (size_t)(w->end - w->next);
    if (there < 2) {
      w->ended = 1;
      break;
    }
    size_t most = room < there - 1 ? room : there - 1;
    const uint8_t *mark = memchr(w->next, 0xFF, most);
    size_t run = mark ? (size_t)(mark - w->next) : most;
    memcpy(out, w->next, run);
    out += run;
    w->next += run;
    if (!mark || out == full) continue;
    if (w->next[1] == 0) {
      *out++ = 0xFF;
      w->next += 2;
    } else {
      w->ended = 1;
    }
  }
  w->data_end = out;
  // An interval may have only a few bytes, so clear no more than was written.
  if (out < w->written) memset(out, 0, (size_t)(w->written - out));
  w->written = out;
  w->limit = w->ended ? out + 64 : w->chunk + CHUNK;
}

static void begin_data(baseline_jpeg_worker *w, bit_reader *r) {
  w->ended = 0;
  w->data_end = w->chunk;
  fill_chunk(w, w->chunk);
  *r = (bit_reader){0, 0, w->chunk};
}

/// Appends more data to the unread ones.
static void read_on(baseline_jpeg_worker *w, bit_reader *r) {
  int part = r->left & 7;
  fill_chunk(w, r->next - (r->left >> 3) - (part ? 1 : 0));
  *r = (bit_reader){0, 0, w->chunk};
  if (!part) return;
  refill(r);
  take(r, 8 - part);
}

/// Whether all data up to a marker have been used, except for the bits that pad the last byte.
static int is_used_up(baseline_jpeg_worker *w, bit_reader *r) {
  if (!w->ended) read_on(w, r);
  long left = (w->data_end - r->next) * 8 + r->left;
  return w->ended && left >= 0 && left < 8 && w->end - w->next >= 2 && w->next[0] == 0xFF;
}

/// Transforms the batches of `count` MCUs, starting at column `mx` of row `my`.
static void put_strip(
    const baseline_jpeg *d, baseline_jpeg_worker *w, transform_range *range, int my, int mx, int count, const unsigned *last_places) {
  const int n = d->eighths, bytes = batch_bytes(n);
  char *batch = (char *)w->coefficients;
  for (int c = 0; c < d->count; c++) {
    const component *p = &d->components[c];
    const long stride = d->strides[c];
    for (int v = 0; v < p->v; v++) {
      const int row = (my * p->v + v) * n;
      for (int h = 0; h < p->h; h++, batch += bytes, last_places++) {
        const long column = ((long)mx * p->h + h * 8) * n;
        if (h * 8 >= count * p->h) continue;
        if (row >= d->rows[c] || column >= stride) {
          memset(batch, 0, (size_t)bytes);
          continue;
        }
        // The first ten coefficients in zigzag order are within the corner of 4 × 4.
        transform *f = d->is_plain ? plain_transform_of(n) : transform_of(n, *last_places <= 11);
        uint8_t *out = d->planes[c] + row * stride + column;
        if (LIKELY(column + 8 * n + 8 <= stride && row + n <= d->rows[c])) {
          f((int16_t *)batch, out, stride, range);
          continue;
        }
        uint8_t edge[8][96];
        f((int16_t *)batch, edge[0], sizeof edge[0], range);
        const long width = stride - column < 8 * n ? stride - column : 8 * n;
        for (int y = 0; y < n && row + y < d->rows[c]; y++) memcpy(out + y * stride, edge[y], (size_t)width);
      }
    }
  }
}

/// Whether every implementation of libjpeg gives the same samples: nothing was saturated or wrapped.
static int is_certain(const transform_range *range, uint32_t large) {
  if (large >> 14) return 0;
  for (int i = 0; i < 16; i++) {
    if (range->most[i] > 16383 || range->least[i] < -16384) return 0;
    if (range->highest[i] > 511 || range->lowest[i] < -512) return 0;
  }
  return 1;
}

int baseline_jpeg_transform(
    int eighths, int is_sparse, int is_plain, const int16_t *coefficients, uint8_t *out, int32_t stride) {
  if (eighths < 1 || eighths > 8 || !has_instructions()) return -1;
  int16_t batch[LARGEST_BATCH / 2] __attribute__((aligned(32))) = {0};
  for (int block = 0; block < 8; block++)
    for (int i = 0; i < 64; i++) {
      int x = i & 7, y = i >> 3;
      if (is_needed(eighths, x) && is_needed(eighths, y))
        batch[batch_place(eighths, x, y) / 2 + block * LANE_WORDS] = coefficients[block * 64 + i];
    }
  transform_range range = {{0}, {0}, {0}, {0}};
  (is_plain ? plain_transform_of(eighths) : transform_of(eighths, is_sparse))(batch, out, stride, &range);
  for (int i = 0; i < batch_bytes(eighths) / 2 - 16; i++)
    if (batch[i]) return -1;
  return is_certain(&range, 0);
}

/// Whether an interval has ended properly: all data are used, and the expected marker follows.
static int is_followed_by(baseline_jpeg_worker *w, bit_reader *r, int marker) {
  return is_used_up(w, r) && w->next[1] == marker;
}

static void begin_interval(baseline_jpeg_worker *w, bit_reader *r, int32_t *predicted) {
  begin_data(w, r);
  memset(predicted, 0, 3 * sizeof *predicted);
}

/// Decodes MCU `m` of a strip.
/// - Returns: 0 if the picture must be refused.
FAST INLINE int decode_mcu(
    const baseline_jpeg *d, baseline_jpeg_worker *w, int m, int32_t *predicted, unsigned *last_places, uint32_t *large,
    bit_reader *r) {
  const int bytes = d->batch_bytes;
  int first = 0;  // of the component's batches
  for (int c = 0; c < d->count; c++) {
    const component *p = &d->components[c];
    for (int v = 0; v < p->v; v++, first += p->h) {
      for (int h = 0; h < p->h; h++) {
        const int block = m * p->h + h, batch = first + (block >> 3);
        int16_t *lane = (int16_t *)((char *)w->coefficients + batch * bytes) + (block & 7) * LANE_WORDS;
        unsigned place =
            decode_block(&d->dc[p->dc], &d->ac[p->ac], d->slots[c], d->last, lane, &predicted[c], large, r);
        if (UNLIKELY(!place)) return 0;
        if (place > last_places[batch]) last_places[batch] = place;
      }
    }
  }
  return 1;
}

FAST int baseline_jpeg_decode_band(const baseline_jpeg *d, baseline_jpeg_worker *w, int index) {
  if (index < 0 || index >= d->band_count) REFUSE;
  const band *part = &d->bands[index];
  const int across = d->across;
  transform_range range = {{0}, {0}, {0}, {0}};
  memset(w->coefficients, 0, sizeof w->coefficients);
  w->next = part->data;
  w->end = d->end;
  bit_reader r;
  int32_t predicted[3];
  begin_interval(w, &r, predicted);
  uint32_t large = 0;
  int until_restart = d->restart, restarts = part->restarts;
  for (int my = part->row; my < part->end_row; my++) {
    for (int mx = 0; mx < across; mx += STRIP) {
      const int count = across - mx < STRIP ? across - mx : STRIP;
      unsigned last_places[6] = {0};
      for (int m = 0; m < count; m++) {
        if (UNLIKELY(d->restart && until_restart-- == 0)) {
          if (!is_followed_by(w, &r, 0xD0 + (restarts++ & 7))) REFUSE;
          w->next += 2;
          begin_interval(w, &r, predicted);
          until_restart = d->restart - 1;
        }
        if (UNLIKELY(r.next > w->limit)) {
          if (w->ended) REFUSE;
          read_on(w, &r);
        }
        if (UNLIKELY(!decode_mcu(d, w, m, predicted, last_places, &large, &r))) REFUSE;
      }
      put_strip(d, w, &range, my, mx, count, last_places);
    }
  }
  const int is_last = index + 1 == d->band_count;
  if (!is_followed_by(w, &r, is_last ? 0xD9 : 0xD0 + (restarts & 7))) REFUSE;
  if (!is_last && w->next + 2 != part[1].data) REFUSE;
  return is_certain(&range, large) ? 0 : __LINE__;
}
