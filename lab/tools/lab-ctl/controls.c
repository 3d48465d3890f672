#include "controls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "common.h"

int open_node(const char *node) {
  int descriptor = open(node, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) fail("%s cannot be opened: %s; run this inside the lab, with its camera plugged in", node, strerror(errno));
  return descriptor;
}

/// Finds the control whose name begins with `prefix` and ends with `suffix`.
static bool find_control(int node, const char *prefix, const char *suffix, struct v4l2_queryctrl *query) {
  *query = (struct v4l2_queryctrl){.id = V4L2_CTRL_FLAG_NEXT_CTRL};
  while (ioctl(node, VIDIOC_QUERYCTRL, query) == 0) {
    const char *name = (const char *)query->name;
    size_t length = strlen(name), tail = strlen(suffix);
    if (length >= tail && strncmp(name, prefix, strlen(prefix)) == 0 && strcmp(name + length - tail, suffix) == 0) return true;
    query->id |= V4L2_CTRL_FLAG_NEXT_CTRL;
  }
  return false;
}

static void set_value(int node, const struct v4l2_queryctrl *query, int32_t value) {
  struct v4l2_ext_control control = {.id = query->id, .value = value};
  struct v4l2_ext_controls controls = {.which = V4L2_CTRL_WHICH_CUR_VAL, .count = 1, .controls = &control};
  if (ioctl(node, VIDIOC_S_EXT_CTRLS, &controls) < 0)
    fail("the control '%s' of %s does not take %d: %s; name another value",
         (const char *)query->name, path_of(node), value, strerror(errno));
}

void set_control(int node, const char *name, int32_t value) {
  struct v4l2_queryctrl query;
  if (!find_control(node, name, name, &query))
    fail("%s has no control '%s'; name a camera that has it (v4l2-ctl --list-ctrls)", path_of(node), name);
  set_value(node, &query, value);
}

void close_loop(int node) {
  struct v4l2_queryctrl query;
  if (find_control(node, "Loop Video", "Loop Video", &query)) return set_value(node, &query, 1);
  // The control is "HDMI 000-0 Is Connected To". Its menu names the outputs in the same way.
  const char *const suffix = " Is Connected To";
  if (!find_control(node, "HDMI ", suffix, &query))
    fail("%s cannot be connected to its output: this kernel's vivid has neither the control 'Loop Video' nor 'HDMI ... Is Connected To'; "
         "boot another kernel", path_of(node));
  char output[sizeof query.name];
  snprintf(output, sizeof output, "%.*s", (int)(strlen((const char *)query.name) - strlen(suffix)), (const char *)query.name);
  for (int32_t index = query.minimum; index <= query.maximum; index++) {
    struct v4l2_querymenu item = {.id = query.id, .index = (uint32_t)index};
    if (ioctl(node, VIDIOC_QUERYMENU, &item) == 0 && strstr((const char *)item.name, output)) return set_value(node, &query, index);
  }
  fail("the menu of the control '%s' of %s has no output %s, so this kernel's vivid cannot be connected to it; boot another kernel",
       (const char *)query.name, path_of(node), output);
}

static uint32_t capture_type(int node) {
  struct v4l2_capability capability = {0};
  if (ioctl(node, VIDIOC_QUERYCAP, &capability) < 0)
    fail("%s does not answer: %s; plug its camera in again with lab-ctl NAME replug", path_of(node), strerror(errno));
  return capability.device_caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE
                                                               : V4L2_BUF_TYPE_VIDEO_CAPTURE;
}

double frame_rate(int node) {
  struct v4l2_streamparm parameters = {.type = capture_type(node)};
  if (ioctl(node, VIDIOC_G_PARM, &parameters) < 0)
    fail("the frame rate of %s cannot be read: %s; name another camera", path_of(node), strerror(errno));
  const struct v4l2_fract *interval = &parameters.parm.capture.timeperframe;
  return interval->numerator ? (double)interval->denominator / interval->numerator : 30;
}

/// Returns the frames per second for the blanking and pixel clock, as linux/v4l2-dv-timings.h computes them.
static double rate_of(const struct v4l2_bt_timings *bt) {
  double total = (double)V4L2_DV_BT_FRAME_WIDTH(bt) * V4L2_DV_BT_FRAME_HEIGHT(bt);
  return total > 0 ? (double)bt->pixelclock / total : 0;
}

/// Switches the mode of the signal at the input: this causes a source-change event, and a streaming program must set the new timings.
static void receive_timings(int node, const char *timings) {
  struct v4l2_queryctrl query = {.id = V4L2_CTRL_FLAG_NEXT_CTRL};
  while (ioctl(node, VIDIOC_QUERYCTRL, &query) == 0) {
    struct v4l2_querymenu item = {.id = query.id, .index = query.minimum};
    bool found = strcmp((const char *)query.name, "DV Timings") == 0;
    for (; found && item.index <= (uint32_t)query.maximum; item.index++) {
      if (ioctl(node, VIDIOC_QUERYMENU, &item) < 0 || strcmp((const char *)item.name, timings) != 0) continue;
      set_control(node, "DV Timings", item.index);
      set_control(node, "DV Timings Signal Mode", 4);  // the selected ones
      return;
    }
    query.id |= V4L2_CTRL_FLAG_NEXT_CTRL;
  }
  fail("%s cannot receive the timings %s; v4l2-ctl --list-dv-timings shows what it can", path_of(node), timings);
}

void set_timings(int node, const char *timings) {
  unsigned width, height, rate;
  if (sscanf(timings, "%ux%up%u", &width, &height, &rate) != 3) fail("timings are written like 1280x720p60, not '%s'", timings);
  struct v4l2_enum_dv_timings entry = {.index = 0};
  for (; ioctl(node, VIDIOC_ENUM_DV_TIMINGS, &entry) == 0; entry.index++) {
    const struct v4l2_bt_timings *bt = &entry.timings.bt;
    if (bt->interlaced || bt->width != width || bt->height != height || fabs(rate_of(bt) - rate) > 0.5) continue;
    int outcome = ioctl(node, VIDIOC_S_DV_TIMINGS, &entry.timings);
    if (outcome < 0 && errno == EBUSY) {
      receive_timings(node, timings);
      return;
    }
    if (outcome < 0) fail("%s refuses the timings %s: %s; stop the programs that use it", path_of(node), timings, strerror(errno));
    return;
  }
  fail("%s does not offer the timings %s; v4l2-ctl --list-dv-timings shows what it offers", path_of(node), timings);
}

void set_size(int node, const char *size) {
  unsigned width, height;
  if (sscanf(size, "%ux%u", &width, &height) != 2) fail("a size is written like 4000x3000, not '%s'", size);
  struct v4l2_format format = {.type = capture_type(node)};
  if (ioctl(node, VIDIOC_G_FMT, &format) < 0)
    fail("the format of %s cannot be read: %s; name another camera", path_of(node), strerror(errno));
  format.fmt.pix.width = width;  // the multi-planar structure begins with the same two fields
  format.fmt.pix.height = height;
  if (format.type == V4L2_BUF_TYPE_VIDEO_CAPTURE) format.fmt.pix.bytesperline = 0;
  if (ioctl(node, VIDIOC_S_FMT, &format) < 0)
    fail("%s refuses the size %s: %s; stop the programs that use it", path_of(node), size, strerror(errno));
  if (format.fmt.pix.width != width || format.fmt.pix.height != height)
    fail("%s gives %ux%u instead of %s; name a size that it offers (v4l2-ctl --list-framesizes)",
         path_of(node), format.fmt.pix.width, format.fmt.pix.height, size);
}
