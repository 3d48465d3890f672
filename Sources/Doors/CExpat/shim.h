#include <expat.h>

// The position of a parser. Expat 2.8 and later deprecate these functions, because their types have 32 bits on some machines, and offer others
// that earlier versions lack. Here a `long` has 64 bits, and a parsed piece is far smaller than the range of an `int`.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline unsigned long expat_line(XML_Parser parser) { return XML_GetCurrentLineNumber(parser); }
static inline long expat_byte(XML_Parser parser) { return XML_GetCurrentByteIndex(parser); }
static inline const char *expat_context(XML_Parser parser, int *offset, int *size) { return XML_GetInputContext(parser, offset, size); }
#pragma clang diagnostic pop

/// Since 2.6, and with Debian's patches in earlier versions, Expat parses an incomplete tag or comment again only when twice as much of it has
/// arrived, so a tag would seem longer than it is. A version without this behaviour has no such function either.
extern XML_Bool XML_SetReparseDeferralEnabled(XML_Parser parser, XML_Bool is_enabled) __attribute__((weak));
static inline void expat_defer_nothing(XML_Parser parser) {
  if (XML_SetReparseDeferralEnabled) XML_SetReparseDeferralEnabled(parser, XML_FALSE);
}
