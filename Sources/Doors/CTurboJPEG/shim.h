#include <stdbool.h>
#include <string.h>
#include <turbojpeg.h>

/// The values of `enum TJSAMP` as `int`, for function arguments: the enumeration's own type is signed only since libjpeg-turbo 3.
static const int tj_444 = TJSAMP_444, tj_422 = TJSAMP_422, tj_420 = TJSAMP_420, tj_grey = TJSAMP_GRAY, tj_440 = TJSAMP_440, tj_411 = TJSAMP_411;

/// Whether the last call gave a picture in spite of a warning about its file. `tjGetErrorCode` does not tell: after a warning it
/// reports errors as warnings too, even if no sample was written. The texts are those of libjpeg's warnings (`jerror.h`, `JWRN_`).
static inline bool tj_warned_only(tjhandle handle) {
  static const char *const warnings[] = {
      "Corrupt JPEG data",
      "Premature end of JPEG file",
      "Warning: unknown JFIF revision",
      "Unknown Adobe color transform code",
      "Inconsistent progression sequence",
      "Invalid SOS parameters for sequential JPEG",
      "Application transferred too many scanlines",
  };
  if (tjGetErrorCode(handle) != TJERR_WARNING) return false;
  const char *message = tjGetErrorStr2(handle);
  for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++)
    if (!strncmp(message, warnings[i], strlen(warnings[i]))) return true;
  return false;
}
