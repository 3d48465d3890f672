// The controls of the camera: all that uvcvideo maps, as UVC 1.1 (4.2.2) defines them, each with its faults.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { camera_terminal = 1, processing_unit = 2, output_terminal = 3 };
enum { most_fields = 4, control_count = 26, status_length = 16 };

/// The reason why a request was stalled: UVC 1.1, table 4-7.
enum control_error { no_error = 0, not_ready = 1, wrong_state = 2, out_of_range = 4, invalid_unit = 5, invalid_control = 6, invalid_request = 7 };

/// The faults of a control; all zero for a correct control.
struct control_fault {
  bool ignores, refuses, clamps, resets;
  int32_t least, most;  // where clamps goes to
  int32_t reset_value;  // what a start of the stream makes of it
  unsigned delay;       // ms until a value is there
};

/// One field of a control: its former value, its next value, and the time of the change.
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

/// Sets all controls to their defaults, without faults.
void reset_controls(struct controls *controls);

/// Returns the bits of a unit's descriptor for the controls that the unit has.
uint32_t control_bits(uint8_t entity);

/// Answers a request to a control of an entity. Returns the length of the reply; −1 for a refusal, with the reason in
/// controls->error.
int answer_control_request(struct controls *controls, uint8_t entity, uint8_t selector, uint8_t request, const uint8_t *data, uint32_t length, uint8_t *reply);

/// Called when a stream starts: resets the controls that have that fault.
void start_controls(struct controls *controls);

/// Returns the present value of a control, which must exist.
int32_t control_now(const struct controls *controls, const char *name);

/// Returns the present value of one of a control's fields, counted from 0.
int32_t control_field_now(const struct controls *controls, const char *name, int field);

/// Makes the scene brighter than in the film by this number of stops.
void set_light(struct controls *controls, double stops);

/// Writes the status packet (UVC 1.1, table 2-2) of a control that changed by itself, with its present value. Returns the length; 0
/// if no control changed.
int take_news(struct controls *controls, uint8_t packet[status_length]);

/// Carries out a command such as "gain clamp 0 10". Returns NULL, or the reason for a refusal.
const char *command_control(struct controls *controls, const char *name, const char *word, int count, long first, long second);

/// Fills tables of 256 entries that map the film's luma and chroma codes as the controls require. Returns false if the film stays
/// unchanged.
bool picture_tables(const struct controls *controls, uint8_t luma[256], uint8_t blue[256], uint8_t red[256]);
