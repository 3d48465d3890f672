// The controls of the camera: all that uvcvideo maps, as in UVC 1.1 (4.2.2), each with its possible faults.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum { camera_terminal = 1, processing_unit = 2, output_terminal = 3 };
enum { most_fields = 4, control_count = 26, status_length = 16 };

/// Why a request was stalled: UVC 1.1, table 4-7. The kernel's error for each is in brackets.
enum control_error { no_error = 0, not_ready = 1, wrong_state = 2, out_of_range = 4, invalid_unit = 5, invalid_control = 6, invalid_request = 7 };

/// The faults of a control; all zero for an honest one.
struct control_fault {
  bool ignores, refuses, clamps, resets;
  int32_t least, most;  // the range of `clamps`
  int32_t reset_value;  // the value after each start of a stream
  unsigned delay;       // ms until a value takes effect
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
  uint32_t news;             // a bit for each control that changed by itself, until it is reported to the host
  double light;              // stops that the scene is brighter than in the film
};

/// Sets all controls to their defaults, without faults.
void reset_controls(struct controls *controls);

/// Returns the bits of a unit's descriptor for the controls that the unit has.
uint32_t control_bits(uint8_t entity);

/// Answers a request to a control of an entity. Returns the number of bytes, or −1 with the reason in controls->error.
int answer_control_request(struct controls *controls, uint8_t entity, uint8_t selector, uint8_t request, const uint8_t *data, uint32_t length, uint8_t *reply);

/// Called when a stream starts: controls with the fault `reset` return to that value.
void start_controls(struct controls *controls);

/// The present value of a control, by its name, which must exist.
int32_t control_now(const struct controls *controls, const char *name);

/// The present value of one of its fields, counted from 0.
int32_t control_field_now(const struct controls *controls, const char *name, int field);

/// Makes the scene brighter than in the film, by a number of stops.
void set_light(struct controls *controls, double stops);

/// Writes the status packet (UVC 1.1, table 2-2) of a control that changed by itself, with its present value. Returns the length; 0
/// if no control changed.
int take_news(struct controls *controls, uint8_t packet[status_length]);

/// Executes a command such as "gain clamp 0 10". Returns NULL, or the reason of a failure.
const char *command_control(struct controls *controls, const char *name, const char *word, int count, long first, long second);

/// Computes the effect of the controls on luma and chroma codes, as tables of 256 codes each; false if they change nothing.
bool picture_tables(const struct controls *controls, uint8_t luma[256], uint8_t blue[256], uint8_t red[256]);
