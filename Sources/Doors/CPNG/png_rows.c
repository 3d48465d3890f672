#include "CPNG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct png_rows {
  png_structp png;
  png_infop info;
  const uint8_t *next;
  size_t left;
  int passes;
  char reason[128];
};

static void keep_reason(png_structp png, png_const_charp message) {
  png_rows *rows = png_get_error_ptr(png);
  snprintf(rows->reason, sizeof rows->reason, "%s", message);
  longjmp(png_jmpbuf(png), 1);
}

static void ignore(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void copy(png_structp png, png_bytep target, size_t count) {
  png_rows *rows = png_get_io_ptr(png);
  if (count > rows->left) png_error(png, "read beyond end of data");
  memcpy(target, rows->next, count);
  rows->next += count;
  rows->left -= count;
}

png_rows *png_rows_open(const void *bytes, size_t count) {
  png_rows *rows = calloc(1, sizeof *rows);
  if (!rows) return NULL;
  rows->next = bytes;
  rows->left = count;
  rows->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, rows, keep_reason, ignore);
  rows->info = rows->png ? png_create_info_struct(rows->png) : NULL;
  if (!rows->info) {
    png_rows_close(rows);
    return NULL;
  }
  png_set_read_fn(rows->png, rows, copy);
  png_set_benign_errors(rows->png, 1);
  return rows;
}

void png_rows_close(png_rows *rows) {
  png_destroy_read_struct(&rows->png, &rows->info, NULL);
  free(rows);
}

const char *png_rows_reason(const png_rows *rows) { return rows->reason; }

bool png_rows_read_facts(png_rows *rows, png_facts *facts) {
  if (setjmp(png_jmpbuf(rows->png))) return false;
  png_read_info(rows->png, rows->info);
  memset(facts, 0, sizeof *facts);
  facts->width = png_get_image_width(rows->png, rows->info);
  facts->height = png_get_image_height(rows->png, rows->info);
  facts->is_interlaced = png_get_interlace_type(rows->png, rows->info) != PNG_INTERLACE_NONE;
  facts->is_grey = !(png_get_color_type(rows->png, rows->info) & PNG_COLOR_MASK_COLOR);
  png_charp name = NULL;
  int method = 0;
  png_bytep profile = NULL;
  if (png_get_iCCP(rows->png, rows->info, &name, &method, &profile, &facts->profile_length)) facts->profile = profile;
  int intent = 0;
  facts->is_srgb = png_get_sRGB(rows->png, rows->info, &intent) != 0;
  if (!png_get_gAMA(rows->png, rows->info, &facts->gamma)) facts->gamma = 0;
  double *p = facts->primaries;
  facts->has_primaries = png_get_cHRM(rows->png, rows->info, p, p + 1, p + 2, p + 3, p + 4, p + 5, p + 6, p + 7) != 0;
  return true;
}

bool png_rows_begin(png_rows *rows, bool is_exact) {
  static const png_color_16 white = {0, 255, 255, 255, 255};
  png_structp png = rows->png;
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_expand(png);
  png_set_gray_to_rgb(png);
  // 16-bit pictures without a gamma also count as sRGB, as in other readers.
  if (!is_exact) png_set_alpha_mode(png, PNG_ALPHA_PNG, PNG_DEFAULT_sRGB);
  png_set_scale_16(png);
  png_set_background(png, &white, PNG_BACKGROUND_GAMMA_SCREEN, 0, 1);
  png_set_bgr(png);
  png_set_filler(png, 255, PNG_FILLER_AFTER);
  rows->passes = png_set_interlace_handling(png);
  png_read_update_info(png, rows->info);
  if (png_get_rowbytes(png, rows->info) != (size_t)png_get_image_width(png, rows->info) * 4) png_error(png, "its pixels are not 32 bits each");
  return true;
}

int png_rows_passes(const png_rows *rows) { return rows->passes; }

bool png_rows_next(png_rows *rows, uint8_t *row) {
  if (setjmp(png_jmpbuf(rows->png))) return false;
  png_read_row(rows->png, row, NULL);
  return true;
}
