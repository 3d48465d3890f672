#include <expat.h>

// Where a parser is. Expat 2.8 and later call these functions deprecated, for their types have 32 bits on some machines, and have others in their
// place that earlier ones lack. Here a `long` has 64 bits, and a piece that is parsed is far smaller than an `int` can tell.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long expat_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline long expat_byte(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
static inline const char *expat_context(XML_Parser parser, int *offset, int *size) { return XML_GetInputContext(parser, offset, size); }
#pragma clang diagnostic pop
