#include "motors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "controls.h"

enum { field_of_view = 60 * 3600, subject_side = 56, cell = 7 };
static const double speed = 90 * 3600;  // arc seconds a second

static double toward(double place, double target, double most) {
  double left = target - place;
  return fabs(left) <= most ? target : place + copysign(most, left);
}

/// Moves the motors as far as they have come by now on their way to the positions of the control.
static void turn(struct motors *motors, const struct controls *controls) {
  double time = now(), most = motors->turned_at > 0 ? (time - motors->turned_at) * speed : 0;
  motors->turned_at = time;
  motors->pan = toward(motors->pan, control_field_now(controls, "pan-tilt", 0), most);
  motors->tilt = toward(motors->tilt, control_field_now(controls, "pan-tilt", 1), most);
}

static int wrapped(int place, int length) {
  int rest = place % length;
  return rest < 0 ? rest + length : rest;
}

/// Shifts the film cyclically: a part that leaves on one side comes back on the other.
static void shift(const uint8_t *frame, int width, int height, int right, int up, uint8_t *picture) {
  size_t row = (size_t)width * 2, split = (size_t)wrapped(right, width) * 2;
  for (int y = 0; y < height; y++) {
    const uint8_t *line = frame + (size_t)wrapped(y - up, height) * row;
    memcpy(picture + (size_t)y * row, line + split, row - split);
    memcpy(picture + (size_t)y * row + row - split, line, split);
  }
}

/// Draws a square of light and dark cells that differs from each of its shifted copies.
static void draw_subject(uint8_t *picture, int width, int height, int left, int top) {
  for (int y = 0; y < subject_side; y++) {
    for (int x = 0; x < subject_side; x++) {
      int column = left + x, line = top + y;
      if (column < 0 || column >= width || line < 0 || line >= height) continue;
      unsigned number = (unsigned)(y / cell * (subject_side / cell) + x / cell);
      picture[((size_t)line * (size_t)width + (size_t)column) * 2] = number * number * 37 % 11 < 5 ? 30 : 225;
    }
  }
}

const uint8_t *aim(struct motors *motors, const struct controls *controls, const uint8_t *frame, int width, int height, uint8_t *picture) {
  turn(motors, controls);
  if (!motors->has_subject && motors->pan == 0 && motors->tilt == 0) return frame;
  double scale = (double)width / field_of_view;
  // Two pixels share their chroma, so the shift is an even number of pixels.
  int right = (int)lround(motors->pan * scale / 2) * 2, up = (int)lround(motors->tilt * scale);
  shift(frame, width, height, right, up, picture);
  if (motors->has_subject) {
    double x = width / 2.0 + motors->subject_pan * scale - right, y = height / 2.0 - motors->subject_tilt * scale + up;
    draw_subject(picture, width, height, (int)lround(x) - subject_side / 2, (int)lround(y) - subject_side / 2);
  }
  return picture;
}

const char *command_subject(struct motors *motors, const char *line) {
  double pan, tilt;
  char word[8], rest[2];
  if (sscanf(line, "subject %7s%1s", word, rest) == 1 && strcmp(word, "none") == 0) {
    motors->has_subject = false;
    return NULL;
  }
  bool sound = sscanf(line, "subject %lf %lf%1s", &pan, &tilt, rest) == 2 && fabs(pan) <= 648000 && fabs(tilt) <= 324000;
  if (!sound) return "subject takes none, or its place to the right and upwards in arc seconds, within 180 and 90 degrees";
  motors->has_subject = true;
  motors->subject_pan = pan;
  motors->subject_tilt = tilt;
  return NULL;
}
