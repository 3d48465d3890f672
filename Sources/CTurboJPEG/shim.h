#include <stdbool.h>
#include <string.h>
#include <turbojpeg.h>

/// Whether the last call gave a picture, though something about its file is odd. `tjGetErrorCode` does not tell it: after a warning it
/// calls an error a warning too, though no sample was written. The texts are those of libjpeg's warnings (`jerror.h`, `JWRN_`).
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
