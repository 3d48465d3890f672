// buttons SOCKET: a wireless shutter in user space (/dev/uhid): keys and a wheel, which the kernel's HID drivers serve to applications as an
// input device (modules uhid, hid-generic, evdev). lab-ctl's commands come in on SOCKET:
//   press KEY    pressed and released; a key is one of the names below, or its usage on the consumer page, 0x40 to 0x3ff
//   down KEY, up KEY
//   wheel N      the wheel turns by N notches at once, -127 to 127
//   unplug, replug
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "common.h"
#include "hid.h"

/// The report that the device sends at each change: the usage of the key that is down, or 0, and the notches since the last report.
struct __attribute__((packed)) input_report {
  uint16_t key;
  uint8_t buttons;
  int8_t notches;
};

// HID Usage Tables 1.4: consumer page (0x0c), button page (0x09), and the wheel of the generic desktop page (0x01).
static const uint8_t descriptor[] = {
    0x05, 0x0c, 0x09, 0x01, 0xa1, 0x01,                                                          // consumer control, application
    0x15, 0x40, 0x26, 0xff, 0x03, 0x19, 0x40, 0x2a, 0xff, 0x03, 0x75, 16, 0x95, 1, 0x81, 0x00,  // one usage of 0x40 to 0x3ff, array
    0x05, 0x09, 0x19, 0x01, 0x29, 0x08, 0x15, 0x00, 0x25, 0x01, 0x75, 1, 0x95, 8, 0x81, 0x02,   // eight buttons, a bit each
    0x05, 0x01, 0x09, 0x38, 0x15, 0x81, 0x25, 0x7f, 0x75, 8, 0x95, 1, 0x81, 0x06,               // wheel, relative
    0xc0,
};

/// A key's name in commands, and its usage on the consumer page or its bit among the buttons. The kernel's mapping is in drivers/hid/hid-input.c.
static const struct key {
  const char *name;
  uint16_t usage;
  uint8_t button;
} keys[] = {
    {"camera", 0x65, 0},                                                      // KEY_CAMERA
    {"first", 0, 1},           {"second", 0, 2},          {"third", 0, 4},  // BTN_0, BTN_1, BTN_2
    {"record", 0xb2, 0},       {"play", 0xcd, 0},         {"next", 0xb5, 0},  // KEY_RECORD, KEY_PLAYPAUSE, KEY_NEXTSONG
    {"volume-up", 0xe9, 0},    {"volume-down", 0xea, 0},                      // KEY_VOLUMEUP, KEY_VOLUMEDOWN
    {"zoom-in", 0x22d, 0},     {"zoom-out", 0x22e, 0},    {"zoom-reset", 0x22f, 0},  // KEY_ZOOMIN, KEY_ZOOMOUT, KEY_ZOOMRESET
};

static int device = -1;
static bool plugged;

static void plug(void) {
  plug_hid(device, "SwiftWing Lab Buttons", 0x0104, descriptor, sizeof descriptor);
  plugged = true;
}

static void unplug(void) {
  unplug_hid(device);
  plugged = false;
}

static void report(struct input_report what) {
  struct uhid_event event = {.type = UHID_INPUT2};
  event.u.input2.size = sizeof what;
  memcpy(event.u.input2.data, &what, sizeof what);
  send_hid(device, &event);
}

static const struct key *key_called(const char *name) {
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(keys[i].name, name) == 0) return &keys[i];
  return NULL;
}

/// Presses a key, releases it, or does both. Returns false if there is no such key.
static bool move_key(const char *name, bool down, bool up) {
  char *end;
  struct key other = {.usage = (uint16_t)strtoul(name, &end, 16)};
  bool is_usage = strncmp(name, "0x", 2) == 0 && *end == 0 && other.usage >= 0x40 && other.usage <= 0x3ff;
  const struct key *key = is_usage ? &other : key_called(name);
  if (!key || !plugged) return false;
  if (down) report((struct input_report){.key = key->usage, .buttons = key->button});
  if (up) report((struct input_report){0});
  return true;
}

static bool obey(const char *line) {
  char name[32];
  int notches;
  if (strcmp(line, "replug") == 0 && !plugged) {
    plug();
  } else if (strcmp(line, "unplug") == 0 && plugged) {
    unplug();
  } else if (sscanf(line, "wheel %d", &notches) == 1 && plugged && notches >= -127 && notches <= 127) {
    report((struct input_report){.notches = (int8_t)notches});
  } else if (sscanf(line, "press %31s", name) == 1) {
    return move_key(name, true, true);
  } else if (sscanf(line, "down %31s", name) == 1) {
    return move_key(name, true, false);
  } else if (sscanf(line, "up %31s", name) == 1) {
    return move_key(name, false, true);
  } else {
    return false;
  }
  return true;
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: buttons SOCKET");
  device = open_hid();
  plug();
  int listener = listen_at(arguments[1]);
  for (;;) {
    struct pollfd ready[2] = {{device, POLLIN, 0}, {listener, POLLIN, 0}};
    poll(ready, 2, -1);
    // The kernel reports that the device is opened or closed, and expects no answer.
    struct uhid_event event;
    if (ready[0].revents && read(device, &event, sizeof event) <= 0)
      fail("the kernel has ended the HID device; start the lab again");
    if (!ready[1].revents) continue;
    char line[256];
    int client = next_question(listener, line, sizeof line);
    if (client < 0) continue;
    double time = now();
    if (obey(line))
      answer_done(client, time);
    else
      answer_refused(client, "buttons know press, down and up with a key of lab/README.md, wheel N, and unplug or replug when that changes something");
  }
}
