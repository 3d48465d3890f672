// The controls of the camera: every one that uvcvideo maps, as UVC 1.1 (4.2.2) has them, each with what may be wrong with it.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { camera_terminal = 1, processing_unit = 2, output_terminal = 3 };
enum { most_fields = 4, control_count = 26, status_length = 16 };

/// Why a request was stalled: UVC 1.1, table 4-7. What the kernel makes of each is in brackets.
enum control_error { no_error = 0, not_ready = 1, wrong_state = 2, out_of_range = 4, invalid_unit = 5, invalid_control = 6, invalid_request = 7 };

/// What may be wrong with a control; all zero for an honest one.
struct control_fault {
  bool ignores, refuses, clamps, resets;
  int32_t least, most;  // where clamps goes to
  int32_t reset_value;  // what a start of the stream makes of it
  unsigned delay;       // ms until a value is there
};

/// One field of a control: what it was, what it will be and when.
struct control_value {
  int32_t before, after;
  double changes;  // CLOCK_MONOTONIC
};

struct controls {
  struct control_value values[control_count][most_fields];
  struct control_fault faults[control_count];
  enum control_error error;  // of the last request
  uint32_t news;             // a bit for each control that changed by itself and of which the host was not told
  double light;              // stops that the scene is brighter than in the film
};

/// All at their defaults, all honest.
void reset_controls(struct controls *controls);

/// The bits of a unit's descriptor that say which controls it has.
uint32_t control_bits(uint8_t entity);

/// Answers a request to a control of an entity; so many bytes, or −1 with the reason in controls->error.
int answer_control_request(struct controls *controls, uint8_t entity, uint8_t selector, uint8_t request, const uint8_t *data, uint32_t length, uint8_t *reply);

/// A stream starts: controls that are broken so fall back.
void start_controls(struct controls *controls);

/// The value of a control now, by its name; the name must be one.
int32_t control_now(const struct controls *controls, const char *name);

/// The same of one of its fields, counted from 0.
int32_t control_field_now(const struct controls *controls, const char *name, int field);

/// The scene becomes so many stops brighter than in the film.
void set_light(struct controls *controls, double stops);

/// Writes the status packet (UVC 1.1, table 2-2) of a control that changed by itself, with the value that it has now; its length, 0 when
/// there is none.
int take_news(struct controls *controls, uint8_t packet[status_length]);

/// A command such as "gain clamp 0 10"; NULL when it was done, otherwise why not.
const char *command_control(struct controls *controls, const char *name, const char *word, int count, long first, long second);

/// What the controls make of luma and chroma codes, in tables of 256 each; false when they leave the film as it is.
bool picture_tables(const struct controls *controls, uint8_t luma[256], uint8_t blue[256], uint8_t red[256]);
