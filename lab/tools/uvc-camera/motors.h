// The motors of a USB camera, and a subject in the scene through which they turn it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct controls;

/// The positions of the motors and of the subject, in arc seconds to the right and upwards.
struct motors {
  double pan, tilt;
  double turned_at;  // CLOCK_MONOTONIC of the last turn, 0 before the first
  bool has_subject;
  double subject_pan, subject_tilt;
};

/// Returns an uncompressed frame as seen from the motors' present position: in `picture`, which has room for it, or unchanged.
const uint8_t *aim(struct motors *motors, const struct controls *controls, const uint8_t *frame, int width, int height, uint8_t *picture);

/// Executes "subject PAN TILT" or "subject none". Returns NULL, or the reason of a failure.
const char *command_subject(struct motors *motors, const char *line);
