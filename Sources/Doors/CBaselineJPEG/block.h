// Decodes the entropy-coded data of one block.
#pragma once
#include <string.h>

#include "state.h"

/// Reads bits from the highest of `bits` down. `left` of the bits are valid; `next`
/// is the byte after them, and at least 8 bytes must be readable there.
typedef struct {
  uint64_t bits;
  int left;
  const uint8_t *next;
} bit_reader;

/// Fills up to at least 56 bits, without a branch.
INLINE void refill(bit_reader *r) {
  uint64_t bytes;
  memcpy(&bytes, r->next, 8);
  r->bits |= __builtin_bswap64(bytes) >> r->left;
  r->next += (63 - r->left) >> 3;
  r->left |= 56;
}

INLINE void take(bit_reader *r, int count) {
  r->bits <<= count;
  r->left -= count;
}

INLINE int take_extra(bit_reader *r, int size) {
  if (!size) return 0;
  int value = extended((uint32_t)(r->bits >> (64 - size)), size);
  take(r, size);
  return value;
}

/// Stores `value` times the slot's factor. `large` collects, by bitwise or, each
/// product plus 8192, which shows whether any product was outside −8192…8191.
INLINE void store(int16_t *lane, slot s, int32_t value, uint32_t *large) {
  int32_t product = (int32_t)((uint32_t)value * (uint32_t)(int32_t)s.factor);
  *large |= (uint32_t)product + 8192;
  int16_t word = (int16_t)product;
  memcpy((char *)lane + s.place, &word, 2);
}

/// Takes a symbol that the table does not hold completely, without its extra bits.
/// - Returns: the advance of the symbol in zigzag order; 0 if there is no such code.
INLINE unsigned take_symbol(const huffman_table *table, bit_reader *r, uint32_t entry, int *size) {
  int length, symbol = huffman_find(table, r->bits, entry, &length);
  if (symbol < 0) return 0;
  take(r, length);
  *size = symbol & 15;
  return symbol ? (unsigned)(symbol >> 4) + 1 : BLOCK_ENDS;
}

/// Skips the coefficients from zigzag place `k` on, which are not needed, up to the end of the block.
/// - Returns: the place after the last; 0 if the picture must be refused.
INLINE unsigned skip_rest(const ac_table *ac, bit_reader *r, unsigned k) {
  while (k < 64) {
    uint32_t entry = ac->skip[r->bits >> (64 - SKIP_BITS)];
    unsigned after = k + (entry >> 8);
    // Symbols behind the end of the block belong to the next block.
    if (LIKELY((entry & 63) && (after & 127) <= 64)) {
      take(r, entry & 63);
      k = after;
    } else {
      entry = ac->single.one[r->bits >> (64 - LOOKUP_BITS)];
      if (entry & 63) {
        take(r, entry & 63);
        k += entry >> 8 & 255;
      } else {
        int size;
        unsigned advance = take_symbol(&ac->single, r, entry, &size);
        if (!advance) return 0;
        take(r, size);
        k += advance;
      }
    }
    refill(r);
  }
  return k;
}

/// Stores the coefficients from zigzag place `k` on, one by one.
INLINE unsigned store_rest(const ac_table *ac, const slot *slots, int16_t *lane, bit_reader *r, unsigned k, uint32_t *large) {
  while (k < 64) {
    uint32_t entry = ac->single.one[r->bits >> (64 - LOOKUP_BITS)];
    if (LIKELY(entry & 63)) {
      take(r, entry & 63);
      k += entry >> 8 & 255;
      store(lane, slots[k - 1], (int32_t)entry >> 16, large);
    } else {
      int size;
      unsigned advance = take_symbol(&ac->single, r, entry, &size);
      if (!advance) return 0;
      k += advance;
      store(lane, slots[k - 1], take_extra(r, size), large);
    }
    refill(r);
  }
  return k;
}

/// Decodes a block into its lane of a batch, up to zigzag place `last`, the last one that is needed.
/// - Returns: 0 if the picture must be refused; otherwise 1 + the zigzag place before which the block ended.
INLINE unsigned decode_block(
    const huffman_table *dc, const ac_table *ac, const slot *slots, unsigned last, int16_t *lane, int32_t *predicted,
    uint32_t *all_large, bit_reader *reader) {
  bit_reader r = *reader;
  uint32_t large = *all_large;
  refill(&r);
  uint32_t entry = dc->one[r.bits >> (64 - LOOKUP_BITS)];
  int32_t difference = (int32_t)entry >> 16;
  if (LIKELY(entry & 63)) {
    take(&r, entry & 63);
  } else {
    int length, size = huffman_find(dc, r.bits, entry, &length);
    if (size < 0) return 0;
    take(&r, length);
    difference = take_extra(&r, size);
    refill(&r);
  }
  // The sum wraps only after `large` has recorded an earlier value that was too large.
  *predicted = (int32_t)((uint32_t)*predicted + (uint32_t)difference);
  store(lane, slots[0], *predicted, &large);

  unsigned k = 1;
  // Up to place 47, the first of two symbols cannot end the block unnoticed, since a run is at most 16.
  const unsigned paired = last < 47 ? last : 47;
  while (k <= paired) {
    uint64_t both = ac->two[r.bits >> (64 - LOOKUP_BITS)];
    if (LIKELY(both & 63)) {
      take(&r, both & 63);
      k += both >> 8 & 255;
      store(lane, slots[k - 1], (int16_t)(both >> 16), &large);
      k += both >> 32 & 255;
      store(lane, slots[k - 1], (int16_t)(both >> 48), &large);
    } else {
      int size;
      unsigned advance = take_symbol(&ac->single, &r, (uint32_t)both, &size);
      if (!advance) return 0;
      k += advance;
      store(lane, slots[k - 1], take_extra(&r, size), &large);
    }
    refill(&r);
  }
  k = last > 47 ? store_rest(ac, slots, lane, &r, k, &large) : skip_rest(ac, &r, k);
  *reader = r;
  *all_large = large;
  // If the block has ended, `k` is larger by 128.
  k &= 127;
  return k <= 64 ? k : 0;
}
