#include "CTesseract.h"
#include "CLoader.h"
#include <stdlib.h>

typedef struct TessResultIterator TessResultIterator;
typedef struct TessPageIterator TessPageIterator;

enum { text_line = 2 };  // TessPageIteratorLevel

struct tesseract_api {
  const char *(*version)(void);
  TessBaseAPI *(*create)(void);
  void (*destroy)(TessBaseAPI *);
  int (*init)(TessBaseAPI *, const char *, const char *);
  int (*set_variable)(TessBaseAPI *, const char *, const char *);
  void (*set_mode)(TessBaseAPI *, int);
  void (*set_image)(TessBaseAPI *, const unsigned char *, int, int, int, int);
  int (*recognize)(TessBaseAPI *, void *);
  void (*clear)(TessBaseAPI *);
  TessResultIterator *(*iterator)(TessBaseAPI *);
  void (*iterator_free)(TessResultIterator *);
  int (*next)(TessResultIterator *, int);
  char *(*text)(const TessResultIterator *, int);
  void (*text_free)(const char *);
  float (*confidence)(const TessResultIterator *, int);
  TessPageIterator *(*page)(TessResultIterator *);
  int (*box)(const TessPageIterator *, int, int *, int *, int *, int *);
  int (*set_severity)(int);
};

static const loader_symbol symbols[] = {
    {"TessVersion", offsetof(tesseract_api, version)},
    {"TessBaseAPICreate", offsetof(tesseract_api, create)},
    {"TessBaseAPIDelete", offsetof(tesseract_api, destroy)},
    {"TessBaseAPIInit3", offsetof(tesseract_api, init)},
    {"TessBaseAPISetVariable", offsetof(tesseract_api, set_variable)},
    {"TessBaseAPISetPageSegMode", offsetof(tesseract_api, set_mode)},
    {"TessBaseAPISetImage", offsetof(tesseract_api, set_image)},
    {"TessBaseAPIRecognize", offsetof(tesseract_api, recognize)},
    {"TessBaseAPIClear", offsetof(tesseract_api, clear)},
    {"TessBaseAPIGetIterator", offsetof(tesseract_api, iterator)},
    {"TessResultIteratorDelete", offsetof(tesseract_api, iterator_free)},
    {"TessResultIteratorNext", offsetof(tesseract_api, next)},
    {"TessResultIteratorGetUTF8Text", offsetof(tesseract_api, text)},
    {"TessDeleteText", offsetof(tesseract_api, text_free)},
    {"TessResultIteratorConfidence", offsetof(tesseract_api, confidence)},
    {"TessResultIteratorGetPageIterator", offsetof(tesseract_api, page)},
    {"TessPageIteratorBoundingBox", offsetof(tesseract_api, box)},
    {.name = "setMsgSeverity", .offset = offsetof(tesseract_api, set_severity), .may_be_missing = true},
};

const tesseract_api *tesseract_load(const char *path, char *reason, size_t capacity) {
  const tesseract_api *api = loader_open(path, symbols, sizeof symbols / sizeof *symbols, sizeof *api, reason, capacity);
  // Leptonica, which Tesseract uses, writes a message to standard error for every empty box, unless its severity is L_SEVERITY_NONE.
  if (api && api->set_severity) api->set_severity(6);
  return api;
}

const char *tesseract_version(const tesseract_api *api) { return api->version(); }

TessBaseAPI *tesseract_start(const tesseract_api *api, const char *languages, int mode) {
  TessBaseAPI *engine = api->create();
  if (!engine) return NULL;
  // Keep Tesseract's messages off standard error.
  api->set_variable(engine, "debug_file", "/dev/null");
  if (api->init(engine, NULL, languages) != 0) {
    api->destroy(engine);
    return NULL;
  }
  api->set_mode(engine, mode);
  return engine;
}

void tesseract_stop(const tesseract_api *api, TessBaseAPI *engine) { api->destroy(engine); }

void tesseract_unload(const tesseract_api *api) { free((void *)api); }

int tesseract_read(const tesseract_api *api, TessBaseAPI *engine, const uint8_t *luma, int width, int height,
                   int bytes_per_row, void *context, void (*each)(void *context, const tesseract_line *line)) {
  api->set_image(engine, luma, width, height, 1, bytes_per_row);
  if (api->recognize(engine, NULL) != 0) return -1;
  TessResultIterator *iterator = api->iterator(engine);
  while (iterator) {
    char *text = api->text(iterator, text_line);
    if (text) {
      tesseract_line line = {.text = text, .confidence = api->confidence(iterator, text_line)};
      if (api->box(api->page(iterator), text_line, &line.left, &line.top, &line.right, &line.bottom)) each(context, &line);
      api->text_free(text);
    }
    if (!api->next(iterator, text_line)) break;
  }
  if (iterator) api->iterator_free(iterator);
  api->clear(engine);
  return 0;
}
