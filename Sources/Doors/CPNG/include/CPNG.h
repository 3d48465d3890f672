// libpng, and a reader of PNG files row by row. libpng tells errors by jumping, which must not pass through Swift.
#pragma once
#include <png.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct png_rows png_rows;

// What a file says before its pixels.
typedef struct {
  uint32_t width, height;
  bool is_interlaced, is_grey;
  // The colour profile, unpacked; NULL without a sound one. Valid until the reader is closed.
  const uint8_t *profile;
  uint32_t profile_length;
  bool is_srgb;
  // By gAMA; 0 without.
  double gamma;
  // By cHRM: white, red, green, blue, each x and y.
  bool has_primaries;
  double primaries[8];
} png_facts;

// The bytes must be there until the reader is closed. NULL without memory.
png_rows *png_rows_open(const void *bytes, size_t count);
void png_rows_close(png_rows *rows);
// Of the last step that failed.
const char *png_rows_reason(const png_rows *rows);

// The three steps, in this order; false where one fails.
bool png_rows_read_facts(png_rows *rows, png_facts *facts);
// - is_exact: codes stay as they are in the file; otherwise those of another gamma become sRGB's.
bool png_rows_begin(png_rows *rows, bool is_exact);
// The next row, as BGRA, what is transparent on white. Of an interlaced picture all rows must be given in each of `png_rows_passes`, with what they had before.
bool png_rows_next(png_rows *rows, uint8_t *row);
int png_rows_passes(const png_rows *rows);
