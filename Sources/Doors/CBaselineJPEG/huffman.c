#include "state.h"

#include <string.h>

#include "standard_tables.h"

/// - Returns: 1 if the table is valid and new; 2 if it equals the previous one; 0 if it is invalid.
static int build(huffman_table *table, const uint8_t *source, int length, int is_ac) {
  if (table->source_length == length && !memcmp(table->source, source, (size_t)length)) return 2;
  table->source_length = 0;
  memset(table->one, 0, sizeof table->one);
  int code = 0, index = 0;
  for (int bits = 1; bits <= 16; bits++, code <<= 1) {
    table->shift[bits] = index - code;
    for (int i = 0; i < source[bits - 1]; i++, index++, code++) {
      // No code is all ones (T.81, C.2), and libjpeg refuses a table that has one.
      if (code + 1 >= 1 << bits) return 0;
      int symbol = source[16 + index];
      int size = is_ac ? symbol & 15 : symbol, run = is_ac ? symbol >> 4 : 0;
      if (size > 15 || (is_ac && !size && run && run != 15)) return 0;
      table->symbols[index] = (uint8_t)symbol;
      if (bits > LOOKUP_BITS) continue;
      uint32_t advance = !is_ac ? 0 : symbol ? (uint32_t)run + 1 : BLOCK_ENDS;
      for (int rest = 0; rest < 1 << (LOOKUP_BITS - bits); rest++) {
        uint32_t entry = (uint32_t)bits << 8 | (uint32_t)symbol << 16;
        if (bits + size <= LOOKUP_BITS) {
          uint32_t extra = (uint32_t)rest >> (LOOKUP_BITS - bits - size);
          entry = (uint32_t)(bits + size) | advance << 8 | (uint32_t)(uint16_t)extended(extra, size) << 16;
        }
        table->one[code << (LOOKUP_BITS - bits) | rest] = entry;
      }
    }
    table->end[bits] = code << (16 - bits);
  }
  memcpy(table->source, source, (size_t)length);
  table->source_length = length;
  return 1;
}

int huffman_build_dc(huffman_table *table, const uint8_t *source, int length) { return build(table, source, length, 0); }

static uint64_t two_symbols(const huffman_table *table, uint32_t index) {
  uint32_t first = table->one[index];
  if (!(first & 63)) return first;
  uint64_t bits = first & 63, advance = 0, value = first >> 16;
  if ((first >> 8 & 255) != BLOCK_ENDS) {
    uint32_t second = table->one[index << bits & ((1 << LOOKUP_BITS) - 1)];
    if (second & 63 && bits + (second & 63) <= LOOKUP_BITS) {
      bits += second & 63;
      advance = second >> 8 & 255;
      value = second >> 16;
    }
  }
  return bits | (first & 0xFFFFFF00u) | advance << 32 | value << 48;
}

static uint32_t symbols_to_skip(const huffman_table *table, uint32_t index) {
  uint32_t bits = 0, advance = 0;
  while (bits < SKIP_BITS) {
    uint32_t entry = table->one[(index << bits & ((1 << SKIP_BITS) - 1)) >> (SKIP_BITS - LOOKUP_BITS)];
    uint32_t length = entry & 63, step = entry >> 8 & 255;
    if (!length) {  // The code may fit though its extra bits are not in the table.
      if (!step) break;
      length = step + (entry >> 16 & 15);
      step = (entry >> 20 & 15) + 1;
    }
    if (length > SKIP_BITS - bits) break;
    if (step == BLOCK_ENDS) return (bits + length) | (advance + step) << 8;
    if (advance + step > 63) break;
    bits += length;
    advance += step;
  }
  return bits | advance << 8;
}

int huffman_build_ac(ac_table *table, const uint8_t *source, int length) {
  int built = build(&table->single, source, length, 1);
  if (built != 1) return built;
  for (uint32_t i = 0; i < 1 << LOOKUP_BITS; i++) table->two[i] = two_symbols(&table->single, i);
  for (uint32_t i = 0; i < 1 << SKIP_BITS; i++) table->skip[i] = symbols_to_skip(&table->single, i);
  return 1;
}

int huffman_find(const huffman_table *table, uint64_t bits, uint32_t entry, int *length) {
  *length = entry >> 8 & 31;
  if (*length) return entry >> 16 & 255;
  int32_t code = (int32_t)(bits >> 48);
  for (int size = 1; size <= 16; size++) {
    if (code >= table->end[size]) continue;
    *length = size;
    return table->symbols[((code >> (16 - size)) + table->shift[size]) & 255];
  }
  return -1;
}

int huffman_standard_dc(huffman_table *table, int chroma) {
  return chroma ? huffman_build_dc(table, standard_dc_chroma, sizeof standard_dc_chroma)
                : huffman_build_dc(table, standard_dc_luma, sizeof standard_dc_luma);
}

int huffman_standard_ac(ac_table *table, int chroma) {
  return chroma ? huffman_build_ac(table, standard_ac_chroma, sizeof standard_ac_chroma)
                : huffman_build_ac(table, standard_ac_luma, sizeof standard_ac_luma);
}
