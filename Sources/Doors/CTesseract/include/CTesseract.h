// The part of Tesseract 5's C API that recognition needs, loaded with dlopen.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct tesseract_api tesseract_api;
typedef struct TessBaseAPI TessBaseAPI;

typedef struct {
  const char *text;  // UTF-8, owned by the callee until the callback returns
  float confidence;  // 0...100
  int left, top, right, bottom;
} tesseract_line;

// Opens `path` (libtesseract.so.5); NULL on failure, with the reason.
const tesseract_api *tesseract_load(const char *path, char *reason, size_t capacity);
const char *tesseract_version(const tesseract_api *api);
enum { tesseract_one_line = 7, tesseract_sparse_text = 11 };  // page segmentation modes
// NULL if the language data are missing. `languages` has the form "eng+rus".
TessBaseAPI *tesseract_start(const tesseract_api *api, const char *languages, int mode);
void tesseract_stop(const tesseract_api *api, TessBaseAPI *engine);
// Frees the API when nothing of it is used any more. The library itself stays loaded.
void tesseract_unload(const tesseract_api *api);
// Reads 8-bit luma and calls `each` for every line. 0 on success.
int tesseract_read(const tesseract_api *api, TessBaseAPI *engine, const uint8_t *luma, int width, int height,
                   int bytes_per_row, void *context, void (*each)(void *context, const tesseract_line *line));
