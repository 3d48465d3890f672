#include "controls.h"

#include <linux/usb/video.h>
#include <math.h>
#include <string.h>

#include "common.h"

struct field {
  int32_t least, most, step, standard;
};

enum {
  readable = 1, settable = 2, changes_itself = 8,  // bits of GET_INFO
  ordinary = readable | settable, automatic = readable | settable | changes_itself,
};

/// A control in its layout on the wire: up to four fields of one size in bytes, one after the other.
struct control {
  const char *name;
  uint8_t entity, selector, bit, info, size, field_count;
  struct field fields[most_fields];
  const char *master;  // values are refused unless this control is at by_hand; NULL for none
  int32_t by_hand;
};

// clang-format off
static const struct control table[control_count] = {
    {"exposure-mode", camera_terminal, UVC_CT_AE_MODE_CONTROL, 1, automatic, 1, 1, {{1, 8, 9, 8}}, NULL, 0},  // the step is the set of modes: manual, and aperture priority
    {"exposure-priority", camera_terminal, UVC_CT_AE_PRIORITY_CONTROL, 2, ordinary, 1, 1, {{0, 1, 1, 0}}, NULL, 0},
    {"exposure-time", camera_terminal, UVC_CT_EXPOSURE_TIME_ABSOLUTE_CONTROL, 3, automatic, 4, 1, {{1, 5000, 1, 100}}, "exposure-mode", 1},  // 100 µs
    {"focus", camera_terminal, UVC_CT_FOCUS_ABSOLUTE_CONTROL, 5, automatic, 2, 1, {{0, 250, 5, 30}}, "focus-auto", 0},
    {"iris", camera_terminal, UVC_CT_IRIS_ABSOLUTE_CONTROL, 7, ordinary, 2, 1, {{140, 560, 10, 200}}, NULL, 0},  // f-number × 100
    {"iris-step", camera_terminal, UVC_CT_IRIS_RELATIVE_CONTROL, 8, settable, 1, 1, {{-1, 1, 1, 0}}, NULL, 0},
    {"zoom", camera_terminal, UVC_CT_ZOOM_ABSOLUTE_CONTROL, 9, automatic, 2, 1, {{100, 400, 1, 100}}, NULL, 0},  // factor × 100
    {"zoom-speed", camera_terminal, UVC_CT_ZOOM_RELATIVE_CONTROL, 10, automatic, 1, 3, {{-1, 1, 1, 0}, {0, 1, 1, 0}, {0, 7, 1, 1}}, NULL, 0},
    {"pan-tilt", camera_terminal, UVC_CT_PANTILT_ABSOLUTE_CONTROL, 11, automatic, 4, 2, {{-468000, 468000, 3600, 0}, {-324000, 324000, 3600, 0}}, NULL, 0},  // arc seconds
    {"pan-tilt-speed", camera_terminal, UVC_CT_PANTILT_RELATIVE_CONTROL, 12, automatic, 1, 4, {{-1, 1, 1, 0}, {1, 20, 1, 1}, {-1, 1, 1, 0}, {1, 20, 1, 1}}, NULL, 0},
    {"focus-auto", camera_terminal, UVC_CT_FOCUS_AUTO_CONTROL, 17, ordinary, 1, 1, {{0, 1, 1, 1}}, NULL, 0},
    {"privacy", camera_terminal, UVC_CT_PRIVACY_CONTROL, 18, automatic, 1, 1, {{0, 1, 1, 0}}, NULL, 0},
    {"brightness", processing_unit, UVC_PU_BRIGHTNESS_CONTROL, 0, ordinary, 2, 1, {{0, 255, 1, 128}}, NULL, 0},
    {"contrast", processing_unit, UVC_PU_CONTRAST_CONTROL, 1, ordinary, 2, 1, {{0, 255, 1, 128}}, NULL, 0},
    {"hue", processing_unit, UVC_PU_HUE_CONTROL, 2, ordinary, 2, 1, {{-180, 180, 1, 0}}, "hue-auto", 0},
    {"saturation", processing_unit, UVC_PU_SATURATION_CONTROL, 3, ordinary, 2, 1, {{0, 255, 1, 128}}, NULL, 0},
    {"sharpness", processing_unit, UVC_PU_SHARPNESS_CONTROL, 4, ordinary, 2, 1, {{0, 255, 1, 128}}, NULL, 0},
    {"gamma", processing_unit, UVC_PU_GAMMA_CONTROL, 5, ordinary, 2, 1, {{100, 300, 1, 100}}, NULL, 0},
    {"white-balance", processing_unit, UVC_PU_WHITE_BALANCE_TEMPERATURE_CONTROL, 6, automatic, 2, 1, {{2000, 7500, 10, 5000}}, "white-balance-auto", 0},
    {"white-balance-gains", processing_unit, UVC_PU_WHITE_BALANCE_COMPONENT_CONTROL, 7, automatic, 2, 2, {{0, 255, 1, 128}, {0, 255, 1, 128}}, "white-balance-auto", 0},  // blue, red
    {"backlight", processing_unit, UVC_PU_BACKLIGHT_COMPENSATION_CONTROL, 8, ordinary, 2, 1, {{0, 2, 1, 0}}, NULL, 0},
    {"gain", processing_unit, UVC_PU_GAIN_CONTROL, 9, ordinary, 2, 1, {{0, 255, 1, 0}}, NULL, 0},  // 1 + gain / 17 times: 1 to 16
    {"power-line", processing_unit, UVC_PU_POWER_LINE_FREQUENCY_CONTROL, 10, ordinary, 1, 1, {{0, 2, 1, 1}}, NULL, 0},
    {"hue-auto", processing_unit, UVC_PU_HUE_AUTO_CONTROL, 11, ordinary, 1, 1, {{0, 1, 1, 0}}, NULL, 0},
    {"white-balance-auto", processing_unit, UVC_PU_WHITE_BALANCE_TEMPERATURE_AUTO_CONTROL, 12, ordinary, 1, 1, {{0, 1, 1, 1}}, NULL, 0},
    {"white-balance-gains-auto", processing_unit, UVC_PU_WHITE_BALANCE_COMPONENT_AUTO_CONTROL, 13, ordinary, 1, 1, {{0, 1, 1, 1}}, NULL, 0},
};
// clang-format on

static int index_of(const char *name) {
  for (int i = 0; i < control_count; i++)
    if (strcmp(table[i].name, name) == 0) return i;
  return -1;
}

static int32_t value_now(const struct controls *controls, int index, int field) {
  const struct control_value *value = &controls->values[index][field];
  return now() < value->changes ? value->before : value->after;
}

int32_t control_field_now(const struct controls *controls, const char *name, int field) {
  int index = index_of(name);
  return index < 0 || field >= table[index].field_count ? 0 : value_now(controls, index, field);
}

int32_t control_now(const struct controls *controls, const char *name) { return control_field_now(controls, name, 0); }

static void change(struct controls *controls, int index, int field, int32_t wanted, unsigned delay) {
  struct control_value *value = &controls->values[index][field];
  value->before = value_now(controls, index, field);
  value->after = wanted;
  value->changes = delay ? now() + delay / 1000.0 : 0;
}

void reset_controls(struct controls *controls) {
  memset(controls, 0, sizeof *controls);
  for (int i = 0; i < control_count; i++)
    for (int field = 0; field < table[i].field_count; field++) change(controls, i, field, table[i].fields[field].standard, 0);
}

uint32_t control_bits(uint8_t entity) {
  uint32_t bits = 0;
  for (int i = 0; i < control_count; i++)
    if (table[i].entity == entity) bits |= 1u << table[i].bit;
  return bits;
}

void start_controls(struct controls *controls) {
  for (int i = 0; i < control_count; i++)
    if (controls->faults[i].resets) change(controls, i, 0, controls->faults[i].reset_value, 0);
}

static int32_t read_field(const uint8_t *place, int size) {
  uint32_t value = 0;
  for (int i = 0; i < size; i++) value |= (uint32_t)place[i] << 8 * i;
  // All fields but the exposure time are signed or small.
  if (size < 4 && value >> (8 * size - 1)) value |= ~0u << 8 * size;
  return (int32_t)value;
}

static void write_field(uint8_t *place, int size, int32_t value) {
  for (int i = 0; i < size; i++) place[i] = (uint8_t)((uint32_t)value >> 8 * i);
}

/// Returns the automatic exposure time in units of 100 µs. It is longer for a darker scene, up to the duration of a frame at 30 a
/// second.
static int32_t automatic_exposure(const struct controls *controls) {
  double time = 100 * exp2(-controls->light);
  return (int32_t)lround(time < 1 ? 1 : time > 333 ? 333 : time);
}

static bool is_by_hand(const struct controls *controls, const struct control *control) {
  return !control->master || control_now(controls, control->master) == control->by_hand;
}

static int32_t reading(const struct controls *controls, int index, int field) {
  const struct control *control = &table[index];
  if (strcmp(control->name, "exposure-time") == 0 && !is_by_hand(controls, control)) return automatic_exposure(controls);
  return value_now(controls, index, field);
}

static int refuse(struct controls *controls, enum control_error error) {
  controls->error = error;
  return -1;
}

/// Whether a control accepts a value: within its range and, for the exposure mode, one of its modes. A motion may always be stopped: the
/// kernel then sends the direction 0 with the speed 0.
static bool takes(const struct control *control, int field, int32_t value) {
  const struct field *range = &control->fields[field];
  if (value == 0 && strstr(control->name, "-speed")) return true;
  if (value < range->least || value > range->most) return false;
  return strcmp(control->name, "exposure-mode") != 0 || value == 1 || value == 8;
}

static int set(struct controls *controls, int index, const uint8_t *data, uint32_t length) {
  const struct control *control = &table[index];
  const struct control_fault *fault = &controls->faults[index];
  if (!(control->info & settable) || length < (uint32_t)control->size * control->field_count) return refuse(controls, invalid_request);
  if (fault->refuses) return refuse(controls, invalid_request);  // EIO
  if (!is_by_hand(controls, control)) return refuse(controls, wrong_state);  // EACCES
  for (int field = 0; field < control->field_count; field++)
    if (!takes(control, field, read_field(data + field * control->size, control->size))) return refuse(controls, out_of_range);
  for (int field = 0; field < control->field_count && !fault->ignores; field++) {
    int32_t value = read_field(data + field * control->size, control->size);
    if (fault->clamps) value = value < fault->least ? fault->least : value > fault->most ? fault->most : value;
    change(controls, index, field, value, fault->delay);
  }
  // One switch for both kinds of white balance, for which the kernel has only one control.
  if (strcmp(control->name, "white-balance-auto") == 0) change(controls, index_of("white-balance-gains-auto"), 0, reading(controls, index, 0), 0);
  if (strcmp(control->name, "white-balance-gains-auto") == 0) change(controls, index_of("white-balance-auto"), 0, reading(controls, index, 0), 0);
  return 0;
}

int answer_control_request(struct controls *controls, uint8_t entity, uint8_t selector, uint8_t request, const uint8_t *data, uint32_t length, uint8_t *reply) {
  int index = 0;
  while (index < control_count && (table[index].entity != entity || table[index].selector != selector)) index++;
  if (index == control_count) return refuse(controls, invalid_control);
  const struct control *control = &table[index];
  controls->error = no_error;
  if (request == UVC_SET_CUR) return set(controls, index, data, length);
  if (request == UVC_GET_INFO) {
    reply[0] = control->info;
    return 1;
  }
  if (request == UVC_GET_LEN) {
    reply[0] = (uint8_t)(control->size * control->field_count);
    return 2;
  }
  if (request == UVC_GET_CUR && !(control->info & readable)) return refuse(controls, invalid_request);
  for (int field = 0; field < control->field_count; field++) {
    const struct field *range = &control->fields[field];
    int32_t value;
    switch (request) {
      case UVC_GET_CUR: value = reading(controls, index, field); break;
      case UVC_GET_MIN: value = range->least; break;
      case UVC_GET_MAX: value = range->most; break;
      case UVC_GET_RES: value = range->step; break;
      case UVC_GET_DEF: value = range->standard; break;
      default: return refuse(controls, invalid_request);
    }
    write_field(reply + field * control->size, control->size, value);
  }
  return control->size * control->field_count;
}

void set_light(struct controls *controls, double stops) {
  int time = index_of("exposure-time");
  int32_t before = reading(controls, time, 0);
  controls->light = stops;
  if (reading(controls, time, 0) != before) controls->news |= 1u << time;
}

int take_news(struct controls *controls, uint8_t packet[status_length]) {
  if (!controls->news) return 0;
  int index = __builtin_ctz(controls->news);
  const struct control *control = &table[index];
  controls->news &= controls->news - 1;
  packet[0] = 1;  // of the VideoControl interface
  packet[1] = control->entity;
  packet[2] = 0;  // a control has changed
  packet[3] = control->selector;
  packet[4] = 0;  // its value
  for (int field = 0; field < control->field_count; field++)
    write_field(packet + 5 + field * control->size, control->size, reading(controls, index, field));
  return 5 + control->size * control->field_count;
}

const char *command_control(struct controls *controls, const char *name, const char *word, int count, long first, long second) {
  int index = index_of(name);
  if (index < 0) return "a USB camera has no such control; lab/README.md has their names";
  struct control_fault *fault = &controls->faults[index];
  bool sound = count >= 1 && takes(&table[index], 0, (int32_t)first);
  if (strcmp(word, "ignore") == 0 && count == 0) {
    fault->ignores = true;
  } else if (strcmp(word, "refuse") == 0 && count == 0) {
    fault->refuses = true;
  } else if (strcmp(word, "honest") == 0 && count == 0) {
    *fault = (struct control_fault){0};
  } else if (strcmp(word, "delay") == 0 && count == 1 && first >= 0 && first <= 60000) {
    fault->delay = (unsigned)first;
  } else if (strcmp(word, "clamp") == 0 && count == 2 && sound && takes(&table[index], 0, (int32_t)second) && first <= second) {
    fault->clamps = true;
    fault->least = (int32_t)first;
    fault->most = (int32_t)second;
  } else if (strcmp(word, "reset") == 0 && count == 1 && sound) {
    fault->resets = true;
    fault->reset_value = (int32_t)first;
  } else if (strcmp(word, "value") == 0 && count == 1 && sound) {
    change(controls, index, 0, (int32_t)first, 0);
    controls->news |= 1u << index;
  } else {
    return "a control knows ignore, refuse, clamp LEAST MOST, delay MS, reset VALUE, value VALUE and honest, with values that it takes";
  }
  return NULL;
}

/// The factor by which the sensor sees the scene brighter than in the film.
static double exposure_factor(const struct controls *controls) {
  double time = reading(controls, index_of("exposure-time"), 0), gain = 1 + control_now(controls, "gain") / 17.0;
  return exp2(controls->light) * time / 100 * gain;
}

static uint8_t code(double value) { return (uint8_t)(value < 0 ? 0 : value > 255 ? 255 : lround(value)); }

bool picture_tables(const struct controls *controls, uint8_t luma[256], uint8_t blue[256], uint8_t red[256]) {
  double factor = pow(exposure_factor(controls), 1 / 2.2);
  int brightness = control_now(controls, "brightness"), contrast = control_now(controls, "contrast"), saturation = control_now(controls, "saturation");
  bool dark = control_now(controls, "privacy") == 1;
  // The picture is warmer if the white balance is set above the 5000 K of the film, that is, for bluer light.
  bool by_hand = control_now(controls, "white-balance-auto") == 0;
  double warmth = by_hand ? (control_now(controls, "white-balance") - 5000) / 100.0 : 0;
  if (fabs(factor - 1) < 1e-3 && brightness == 128 && contrast == 128 && saturation == 128 && !dark && warmth == 0) return false;
  for (int i = 0; i < 256; i++) {
    luma[i] = dark ? 0 : code((i * factor - 128) * contrast / 128 + brightness);
    double colour = dark ? 0 : (i - 128) * saturation / 128.0;
    blue[i] = code(128 + colour - (dark ? 0 : warmth));
    red[i] = code(128 + colour + (dark ? 0 : warmth));
  }
  return true;
}
