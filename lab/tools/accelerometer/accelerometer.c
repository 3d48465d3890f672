// accelerometer SOCKET: a HID sensor hub with a three-axis accelerometer, in user space (/dev/uhid). The kernel's IIO driver offers
// it to applications (modules uhid, hid-sensor-hub, hid-sensor-accel-3d). lab-ctl sends commands through SOCKET:
//   tilt X Y Z   sets the reading, in thousandths of g
//   angle DEG    sets the reading of an upright device that is rotated clockwise by DEG, as its user sees it
//   unplug, replug
// The signs are those that iio-sensor-proxy expects of IIO accelerometers: upright reads y = −1 g, left side up x = +1 g.
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "channel.h"
#include "common.h"
#include "hid.h"
#include "sensor.h"

static int device = -1;
static bool plugged;
static struct feature_report settings;
static struct input_report reading;

static void plug(void) {
  settings = (struct feature_report){.id = report_id, .interval = 100};
  plug_hid(device, "SwiftWing Lab Accelerometer", 0x0103, report_descriptor, report_descriptor_length);
  plugged = true;
}

static void unplug(void) {
  unplug_hid(device);
  plugged = false;
}

static void send_reading(void) {
  struct uhid_event event = {.type = UHID_INPUT2};
  event.u.input2.size = sizeof reading;
  memcpy(event.u.input2.data, &reading, sizeof reading);
  send_hid(device, &event);
}

static void answer_get(const struct uhid_get_report_req *request) {
  struct uhid_event event = {.type = UHID_GET_REPORT_REPLY};
  struct uhid_get_report_reply_req *reply = &event.u.get_report_reply;
  bool feature = request->rtype == UHID_FEATURE_REPORT;
  reply->id = request->id;
  reply->size = feature ? sizeof settings : sizeof reading;
  memcpy(reply->data, feature ? (const void *)&settings : (const void *)&reading, reply->size);
  send_hid(device, &event);
}

static void answer_set(const struct uhid_set_report_req *request) {
  struct uhid_event event = {.type = UHID_SET_REPORT_REPLY};
  size_t length = request->size < sizeof settings ? request->size : sizeof settings;
  memcpy(&settings, request->data, length);
  event.u.set_report_reply.id = request->id;
  send_hid(device, &event);
}

static void handle_kernel(void) {
  struct uhid_event event;
  if (read(device, &event, sizeof event) <= 0) fail("the kernel has ended the HID device; start the lab again");
  if (event.type == UHID_GET_REPORT) answer_get(&event.u.get_report);
  if (event.type == UHID_SET_REPORT) answer_set(&event.u.set_report);
}

/// Milliseconds between readings; −1 while no program has switched on reporting and power (selectors from 1 on mean "on").
static int interval(void) {
  bool on = plugged && settings.reporting >= 1 && settings.power >= 1 && settings.power <= 2;
  if (!on) return -1;
  return settings.interval < 5 ? 5 : settings.interval > 60000 ? 60000 : (int)settings.interval;
}

static void set_reading(int client, double x, double y, double z) {
  reading = (struct input_report){report_id, (int32_t)lrint(x), (int32_t)lrint(y), (int32_t)lrint(z)};
  if (interval() > 0) send_reading();
  answer_done(client, now());
}

static void obey(int client, const char *line) {
  double x, y, z, angle, time = now();
  if (strcmp(line, "replug") == 0 && !plugged) {
    plug();
    answer_done(client, time);
  } else if (strcmp(line, "unplug") == 0 && plugged) {
    unplug();
    answer_done(client, time);
  } else if (sscanf(line, "tilt %lf %lf %lf", &x, &y, &z) == 3 && fmax(fabs(x), fmax(fabs(y), fabs(z))) <= 1e6) {
    set_reading(client, x, y, z);
  } else if (sscanf(line, "angle %lf", &angle) == 1 && fabs(angle) <= 3600) {
    set_reading(client, 1000 * sin(angle * M_PI / 180), -1000 * cos(angle * M_PI / 180), 0);
  } else {
    answer_refused(client, "an accelerometer knows tilt X Y Z, angle DEG, and unplug or replug when that changes something");
  }
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: accelerometer SOCKET");
  reading = (struct input_report){report_id, 0, -1000, 0};
  device = open_hid();
  plug();
  int listener = listen_at(arguments[1]);
  for (;;) {
    struct pollfd ready[2] = {{device, POLLIN, 0}, {listener, POLLIN, 0}};
    if (poll(ready, 2, interval()) == 0) send_reading();
    if (ready[0].revents) handle_kernel();
    if (ready[1].revents) {
      char line[256];
      int client = next_question(listener, line, sizeof line);
      if (client >= 0) obey(client, line);
    }
  }
}
