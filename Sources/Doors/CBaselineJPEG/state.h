#pragma once
#include "baseline_jpeg.h"

#define INLINE static inline __attribute__((always_inline))
// On x86-64, FAST functions need newer processors, which `has_instructions` checks. Every arm64 processor has NEON.
#if defined(__x86_64__)
#define FAST __attribute__((target("avx2,bmi,bmi2")))
#define HAS_LANES 1
#elif defined(__aarch64__)
#define FAST
#define HAS_LANES 1
#else
#define FAST
#define HAS_LANES 0
#endif
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
// Leaves a picture to libjpeg-turbo; the line number tells why.
#define REFUSE return __LINE__

enum {
  LOOKUP_BITS = 11,       // of a code and its extra bits, found in one step
  SKIP_BITS = 12,         // the same for coefficients that only need to be counted
  BLOCK_ENDS = 129,       // the advance of an end of block: beyond any run
  STRIP = 8,              // MCUs decoded before their blocks are transformed
  CHUNK = 32768,          // bytes unstuffed at a time
  MARGIN = 4096,          // more than an MCU takes: 6 blocks of 64 symbols of 31 bits
  LARGEST_BATCH = 8 * 4 * 32 + 32,
};

/// A table that decodes one code with its extra bits. An entry of `one`: bits 0–5 the number of bits, 8–15 the advance in zigzag order,
/// 16–31 the value. If the symbol does not fit: bits 0–5 are 0, 8–12 the length of the code (0: longer than the table), 16–23 the symbol.
typedef struct {
  uint32_t one[1 << LOOKUP_BITS];
  int32_t end[17];        // of the codes of each length, moved up to 16 bits
  int32_t shift[17];      // from a code to its place in `symbols`
  uint8_t symbols[256];
  uint8_t source[16 + 256];
  int source_length;      // 0: none
} huffman_table;

/// `two`: two symbols if they fit, each with its advance (bits 8–15, 32–39) and value (16–31, 48–63). A second that does not fit advances by 0
/// and repeats the value. `skip`: as many symbols as fit; bits 0–5 the number of bits, bits 8 and up their advance.
typedef struct {
  huffman_table single;
  uint64_t two[1 << LOOKUP_BITS];
  uint32_t skip[1 << SKIP_BITS];
} ac_table;

/// The place of a coefficient in its batch, and its quantisation factor. A coefficient that is not needed has a place that is never read, and a
/// factor of 0.
typedef struct {
  uint16_t place;
  int16_t factor;
} slot;

typedef struct {
  int h, v, quantisation, dc, ac, id;
} component;

/// Rows of MCUs that can be decoded independently: from the start of the data, or from behind a restart marker.
typedef struct {
  const uint8_t *data;
  int row, end_row;
  int restarts;                 // markers before it
} band;

/// The contents of the markers, and the destination of the picture. It is not written while bands are decoded.
struct baseline_jpeg {
  huffman_table dc[4];
  ac_table ac[4];
  uint8_t quantisation[4][64];
  component components[3];
  int count, width, height, restart;
  int is_plain;
  const uint8_t *data, *end;    // from the scan to the end of the file
  int eighths, across, down;    // across and down: MCUs
  uint8_t *planes[3];
  int32_t strides[3], rows[3];
  slot slots[3][256];
  unsigned last;                // zigzag place that is of use
  int batch_bytes;
  int band_count;
  band bands[BASELINE_JPEG_MOST_BANDS];
};

/// The decoding state of one thread.
struct baseline_jpeg_worker {
  int16_t coefficients[6 * LARGEST_BATCH / 2] __attribute__((aligned(32)));
  const uint8_t *next, *end;    // of the picture, not yet unstuffed
  const uint8_t *limit;         // of the chunk: unstuff more from here on
  const uint8_t *data_end;
  uint8_t *written;             // from here on the chunk is 0
  int ended;                    // the chunk has all up to a marker
  uint8_t chunk[CHUNK + 2 * MARGIN];
};

int huffman_build_dc(huffman_table *table, const uint8_t *source, int length);
int huffman_build_ac(ac_table *table, const uint8_t *source, int length);
/// Finds a symbol that the table does not hold completely, and the length of its code; -1 if there is no such code.
int huffman_find(const huffman_table *table, uint64_t bits, uint32_t entry, int *length);
/// The tables of Annex K.3, which libjpeg uses if a picture has none.
int huffman_standard_dc(huffman_table *table, int chroma);
int huffman_standard_ac(ac_table *table, int chroma);

/// Converts extra bits to a value (T.81, F.2.2.1).
INLINE int extended(uint32_t bits, int size) {
  if (!size) return 0;
  return bits < 1u << (size - 1) ? (int)bits - (1 << size) + 1 : (int)bits;
}

extern const uint8_t zigzag_order[64];
