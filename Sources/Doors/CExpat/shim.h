#include <expat.h>

// Where a parser is. Expat 2.8 and later call these functions deprecated, for their types have 32 bits on some machines, and have others in their
// place that earlier ones lack. Here a `long` has 64 bits, and a piece that is parsed is far smaller than an `int` can tell.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long expat_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline long expat_byte(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
static inline const char *expat_context(XML_Parser parser, int *offset, int *size) { return XML_GetInputContext(parser, offset, size); }
#pragma clang diagnostic pop

/// Since 2.6, and by patches of Debian's before, Expat looks at a tag or comment that was not whole only when twice as much of it is there: then it would
/// seem to be longer than it is. Where a version has no such habit it has no such function either.
extern XML_Bool XML_SetReparseDeferralEnabled(XML_Parser parser, XML_Bool is_enabled) __attribute__((weak));
static inline void expat_defer_nothing(XML_Parser parser) {
  if (XML_SetReparseDeferralEnabled) XML_SetReparseDeferralEnabled(parser, XML_FALSE);
}
