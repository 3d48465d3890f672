// libpng, and a reader of PNG files row by row. libpng reports errors with longjmp, which must not pass through Swift.
#pragma once
#include <png.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct png_rows png_rows;

// The properties of a file, known before its pixels.
typedef struct {
  uint32_t width, height;
  bool is_interlaced, is_grey;
  // The colour profile, unpacked; NULL if the file has no valid one. The bytes stay valid until the reader is closed.
  const uint8_t *profile;
  uint32_t profile_length;
  bool is_srgb;
  // The value of the gAMA chunk; 0 without the chunk.
  double gamma;
  // Whether there is a cHRM chunk.
  bool has_primaries;
  // The x and y of white, red, green and blue from the cHRM chunk.
  double primaries[8];
} png_facts;

// Opens a reader; NULL if there is no memory. The bytes must stay valid until the reader is closed.
png_rows *png_rows_open(const void *bytes, size_t count);
void png_rows_close(png_rows *rows);
// The reason of the last failure.
const char *png_rows_reason(const png_rows *rows);

// Read a file with the next three functions, in this order; each returns false on failure.
bool png_rows_read_facts(png_rows *rows, png_facts *facts);
// - is_exact: whether codes stay as they are in the file; otherwise codes with a gamma other than sRGB's are converted to sRGB.
bool png_rows_begin(png_rows *rows, bool is_exact);
// Reads the next row as BGRA, with transparent parts on white. For an interlaced picture, all rows must be passed in each of `png_rows_passes`
// passes, with their former contents.
bool png_rows_next(png_rows *rows, uint8_t *row);
int png_rows_passes(const png_rows *rows);
