// The motors of a USB camera, and a subject in the world that they turn it through.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct controls;

/// Where the motors are and where the subject is, in arc seconds to the right and upwards.
struct motors {
  double pan, tilt;
  double turned_at;  // CLOCK_MONOTONIC of the last turn, 0 before the first
  bool has_subject;
  double subject_pan, subject_tilt;
};

/// An uncompressed frame as the camera sees it where its motors are now: in picture, which has room for it, or as it is.
const uint8_t *aim(struct motors *motors, const struct controls *controls, const uint8_t *frame, int width, int height, uint8_t *picture);

/// "subject PAN TILT" and "subject none"; NULL when it was done, otherwise why not.
const char *command_subject(struct motors *motors, const char *line);
