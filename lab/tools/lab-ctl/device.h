// What lab-ctl knows of the running lab's devices: facts left by guest/session in /run/lab/devices/NAME, and sysfs.
#pragma once
#include <stdbool.h>

enum { value_size = 128 };

struct device {
  char name[64];
  char kind[value_size];     // vivid, uvc, accelerometer, buttons or display
  char node[value_size];     // vivid: its capture node
  char output[value_size];   // vivid-loop: its output node
  char input[value_size];    // vivid: webcam or hdmi
  char timings[value_size];  // vivid: DV timings it is set up with, such as 1280x720p60
  char size[value_size];     // vivid: frame size it is set up with
  char serial[value_size];   // uvc: serial number
};

/// The device called name; false when the lab has none.
bool find_device(const char *name, struct device *device);

/// The node the device has now, such as /dev/video2 or /dev/iio:device0; false while it has none.
bool current_node(const struct device *device, char node[value_size]);

/// Waits until the device has a node with its stable names (present), or has none; false after ten seconds.
bool wait_for_node(const struct device *device, bool present);

/// Calls the function with each device of that kind, or of any kind when it is NULL, in the order of their names.
void for_each_device(const char *kind, void (*call)(const struct device *));

/// Prints a line for each device: name, kind, node, serial.
void list_devices(void);
