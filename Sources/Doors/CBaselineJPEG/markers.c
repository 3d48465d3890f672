#include <string.h>

#include "state.h"

const uint8_t zigzag_order[64] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
    35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/// The contents of the segments before the scan.
typedef struct {
  int has_frame, has_jfif, adobe;       // adobe: its transform, -1 without the mark
  unsigned quantised, dc, ac;           // a bit for each table
} segments;

/// Reads quantisation tables, which must have 8 bits and no zeros.
static int read_quantisation(baseline_jpeg *d, segments *s, const uint8_t *p, const uint8_t *end) {
  while (p < end) {
    int index = *p++;
    if (index > 3 || end - p < 64 || memchr(p, 0, 64)) REFUSE;
    memcpy(d->quantisation[index], p, 64);
    s->quantised |= 1u << index;
    p += 64;
  }
  return 0;
}

static int read_huffman(baseline_jpeg *d, segments *s, const uint8_t *p, const uint8_t *end) {
  while (p < end) {
    if (end - p < 17 || (*p & 15) > 3 || *p >> 4 > 1) REFUSE;
    int index = *p & 15, is_ac = *p++ >> 4, count = 0;
    for (int i = 0; i < 16; i++) count += p[i];
    if (count > 256 || end - p < 16 + count) REFUSE;
    if (!(is_ac ? huffman_build_ac(&d->ac[index], p, 16 + count) : huffman_build_dc(&d->dc[index], p, 16 + count))) REFUSE;
    *(is_ac ? &s->ac : &s->dc) |= 1u << index;
    p += 16 + count;
  }
  return 0;
}

/// Reads the frame header: one component, or three of which the first may be finer: 1×1, 2×1, 2×2, 1×2 or 4×1.
static int read_frame(baseline_jpeg *d, segments *s, const uint8_t *p, const uint8_t *end) {
  if (s->has_frame || end - p < 6 || p[0] != 8) REFUSE;
  d->height = p[1] << 8 | p[2];
  d->width = p[3] << 8 | p[4];
  d->count = p[5];
  if (!d->width || !d->height || (d->count != 1 && d->count != 3) || end - p != 6 + 3 * d->count) REFUSE;
  p += 6;
  for (int i = 0; i < d->count; i++, p += 3) {
    component c = {.h = p[1] >> 4, .v = p[1] & 15, .quantisation = p[2], .id = p[0]};
    int is_plain = c.h == 1 && c.v == 1;
    int is_fine = (c.h == 2 && (c.v == 1 || c.v == 2)) || (c.h == 1 && c.v == 2) || (c.h == 4 && c.v == 1);
    if (c.quantisation > 3 || !(is_plain || (i == 0 && d->count == 3 && is_fine))) REFUSE;
    for (int j = 0; j < i; j++)
      if (d->components[j].id == c.id) REFUSE;
    d->components[i] = c;
  }
  s->has_frame = 1;
  return 0;
}

/// Reads the header of the one scan, which must have all components.
static int read_scan(baseline_jpeg *d, segments *s, const uint8_t *p, const uint8_t *end) {
  if (!s->has_frame || end - p != 4 + 2 * d->count || *p++ != d->count) REFUSE;
  for (int i = 0; i < d->count; i++, p += 2) {
    component *c = &d->components[i];
    c->dc = p[1] >> 4;
    c->ac = p[1] & 15;
    if (p[0] != c->id || c->dc > 3 || c->ac > 3 || !(s->quantised >> c->quantisation & 1)) REFUSE;
  }
  if (p[0] != 0 || p[1] != 63 || p[2] != 0) REFUSE;
  return 0;
}

static int read_application(segments *s, int marker, const uint8_t *p, const uint8_t *end) {
  if (marker == 0xE0 && end - p >= 5 && !memcmp(p, "JFIF", 5)) {
    if (end - p < 14 || p[5] != 1) REFUSE;
    s->has_jfif = 1;
  } else if (marker == 0xEE && end - p >= 5 && !memcmp(p, "Adobe", 5)) {
    if (end - p < 12) REFUSE;
    s->adobe = p[11];
  }
  return 0;
}

/// Decides the colours as libjpeg guesses them, and uses the standard tables in place of missing ones.
static int settle(baseline_jpeg *d, segments *s) {
  const component *c = d->components;
  if (d->count == 3) {
    if (s->adobe >= 0 && s->adobe != 1) REFUSE;
    if (!s->has_jfif && s->adobe < 0 && (c[0].id != 1 || c[1].id != 2 || c[2].id != 3)) REFUSE;
  }
  for (int i = 0; i < 2; i++) {
    if (!(s->dc >> i & 1)) huffman_standard_dc(&d->dc[i], i);
    if (!(s->ac >> i & 1)) huffman_standard_ac(&d->ac[i], i);
  }
  for (int i = 0; i < d->count; i++)
    if (!((s->dc | 3) >> c[i].dc & 1) || !((s->ac | 3) >> c[i].ac & 1)) REFUSE;
  return 0;
}

int baseline_jpeg_read(baseline_jpeg *d, const uint8_t *bytes, size_t count, baseline_jpeg_shape *shape) {
  if (count < 4 || bytes[0] != 0xFF || bytes[1] != 0xD8) REFUSE;
  segments s = {.adobe = -1};
  d->restart = 0;
  d->data = NULL;
  for (const uint8_t *at = bytes + 2, *last = bytes + count;;) {
    if (last - at < 4 || at[0] != 0xFF) REFUSE;
    int marker = at[1], length = at[2] << 8 | at[3], refused = 0;
    if (length < 2 || last - at < 2 + length) REFUSE;
    const uint8_t *p = at + 4, *end = at + 2 + length;
    switch (marker) {
      case 0xC0: case 0xC1: refused = read_frame(d, &s, p, end); break;
      case 0xC4: refused = read_huffman(d, &s, p, end); break;
      case 0xDB: refused = read_quantisation(d, &s, p, end); break;
      case 0xDD:
        if (end - p != 2) REFUSE;
        d->restart = p[0] << 8 | p[1];
        break;
      case 0xDA:
        if ((refused = read_scan(d, &s, p, end)) || (refused = settle(d, &s))) return refused;
        d->data = end;
        d->end = last;
        *shape = (baseline_jpeg_shape){d->width, d->height, d->count, d->components[0].h, d->components[0].v};
        return 0;
      default:
        if (marker != 0xFE && (marker < 0xE0 || marker > 0xEF)) REFUSE;
        refused = read_application(&s, marker, p, end);
    }
    if (refused) return refused;
    at = end;
  }
}
