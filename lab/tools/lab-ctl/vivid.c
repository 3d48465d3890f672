#include "vivid.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"
#include "controls.h"

static const char binding[] = "/sys/bus/platform/drivers/vivid";

/// A fault that is one control of the driver: the words of the command, the control's name and its value.
static const struct { const char *word, *argument, *control; int value; } single_controls[] = {
    {"signal", "back", "DV Timings Signal Mode", 0},
    {"signal", "lost", "DV Timings Signal Mode", 1},
    {"signal", "unlocked", "DV Timings Signal Mode", 2},
    {"signal", "out-of-range", "DV Timings Signal Mode", 3},
    {"disconnect", NULL, "Disconnect", 1},
    {"fatal", NULL, "Inject Fatal Streaming Error", 1},
    {"reqbufs-fail", NULL, "Inject VIDIOC_REQBUFS Error", 1},
    {"qbuf-fail", NULL, "Inject VIDIOC_QBUF Error", 1},
    {"streamon-fail", NULL, "Inject VIDIOC_STREAMON Error", 1},
    {"timestamps", "end", "Timestamp Source", 0},
    {"timestamps", "start", "Timestamp Source", 1},
    {"wrap-sequence", "on", "Wrap Sequence Number", 1},
    {"wrap-sequence", "off", "Wrap Sequence Number", 0},
    {"wrap-time", "64", "Wrap Timestamp", 1},
    {"wrap-time", "32", "Wrap Timestamp", 2},
    {"wrap-time", "off", "Wrap Timestamp", 0},
};

static int percentage(int count, char **words) {
  char *end = NULL;
  long value = count == 2 ? strtol(words[1], &end, 10) : -1;
  if (!end || *end || end == words[1] || value < 0 || value > 100)
    fail("%s takes a whole percentage from 0 to 100; write, for example, %s 40", words[0], words[0]);
  return (int)value;
}

static bool command_single_control(const struct device *device, int count, char **words) {
  const char *argument = count > 1 ? words[1] : NULL;
  for (size_t i = 0; i < sizeof single_controls / sizeof *single_controls; i++) {
    if (strcmp(single_controls[i].word, words[0]) != 0 || !single_controls[i].argument != !argument) continue;
    if (argument && strcmp(single_controls[i].argument, argument) != 0) continue;
    set_control(open_node(device->node), single_controls[i].control, single_controls[i].value);
    return true;
  }
  return false;
}

/// The process that marks buffers of this camera as broken. Its number is kept in a file, so that the next command can end it.
static void stop_breaking_buffers(const char *keeper) {
  char line[32];
  if (!read_line(keeper, line, sizeof line)) return;
  pid_t process = atoi(line);
  if (process > 1) kill(process, SIGTERM);
  unlink(keeper);
}

/// vivid marks one buffer for each press of a button control, so a separate process presses it as often as needed.
static void break_buffers(const struct device *device, int percent) {
  char keeper[128], line[32];
  snprintf(keeper, sizeof keeper, "/run/lab/%s.errors", device->name);
  stop_breaking_buffers(keeper);
  if (percent == 0) return;
  int node = open_node(device->node);
  double presses = frame_rate(node) * (percent == 100 ? 4 : percent / 100.0);
  const char *button = "Inject V4L2_BUF_FLAG_ERROR";
  set_control(node, button, 1);
  pid_t process = fork();
  if (process < 0)
    fail("no process can be made to break buffers of %s: %s; give lab/run more --memory", device->name, strerror(errno));
  if (process == 0) {
    setsid();
    int nothing = open("/dev/null", O_RDWR);
    for (int descriptor = 0; descriptor <= 2; descriptor++) dup2(nothing, descriptor);
    for (;;) {
      usleep((useconds_t)(1e6 / presses));
      set_control(node, button, 1);
    }
  }
  snprintf(line, sizeof line, "%d\n", process);
  FILE *file = fopen(keeper, "we");
  if (!file || fputs(line, file) < 0 || fclose(file) != 0)
    fail("%s, the file for the process that breaks buffers of %s, cannot be written: %s; run this as root inside the lab",
         keeper, device->name, strerror(errno));
}

/// Sets the timings and the size of the camera's SPEC: guest/session calls this once, and it is done again after a replug.
static void set_up(const struct device *device) {
  int node = open_node(device->node);
  if (device->timings[0]) set_timings(node, device->timings);
  if (device->size[0]) set_size(node, device->size);
  if (!device->output[0]) return;
  set_timings(open_node(device->output), device->timings);
  close_loop(node);
  set_control(node, "OSD Text Mode", 2);  // nothing written over the frames
}

static void bind_driver(const struct device *device, bool bound) {
  char path[sizeof binding + 16];
  snprintf(path, sizeof path, "%s/%s", binding, bound ? "bind" : "unbind");
  if (!write_text(path, "vivid.0"))
    fail("%s cannot be %s: the driver vivid refuses: %s; it may be %s already",
         device->name, bound ? "plugged in" : "unplugged", strerror(errno), bound ? "plugged in" : "unplugged");
  if (!wait_for_node(device, bound))
    fail("%s of %s did not %s in ten seconds; end the programs that use it, or start the lab again",
         device->node, device->name, bound ? "return" : "go");
  if (bound) for_each_device("vivid", set_up);  // one driver binding serves all vivid cameras
}

void command_vivid(const struct device *device, int count, char **words) {
  const char *word = words[0];
  if (strcmp(word, "signal") == 0 && strcmp(device->input, "hdmi") != 0)
    fail("%s is a webcam and has no signal to lose; ask for a camera such as vivid:hdmi-720p30", device->name);
  if (command_single_control(device, count, words)) return;
  if (strcmp(word, "drop") == 0) set_control(open_node(device->node), "Percentage of Dropped Buffers", percentage(count, words));
  else if (strcmp(word, "error-buffers") == 0) break_buffers(device, percentage(count, words));
  else if (strcmp(word, "timings") == 0 && count == 2) set_timings(open_node(device->node), words[1]);
  else if (strcmp(word, "size") == 0 && count == 2) set_size(open_node(device->node), words[1]);
  else if (strcmp(word, "setup") == 0) set_up(device);
  else if (strcmp(word, "unplug") == 0) bind_driver(device, false);
  else if (strcmp(word, "replug") == 0) bind_driver(device, true);
  else fail("a vivid camera has no fault '%s%s%s'; see lab/README.md", word, count > 1 ? " " : "", count > 1 ? words[1] : "");
}
