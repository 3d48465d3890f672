// The devices of the running lab, from the files of guest/session in /run/lab/devices/NAME and from sysfs.
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

/// Finds the device called name. Returns false if the lab has none.
bool find_device(const char *name, struct device *device);

/// The present node of the device, such as /dev/video2 or /dev/iio:device0; false while it has none.
bool current_node(const struct device *device, char node[value_size]);

/// Waits until the device has a node with its stable names (present), or has none. Returns false after ten seconds.
bool wait_for_node(const struct device *device, bool present);

/// Calls the function for each device of that kind, or of any kind if it is NULL, in the order of their names.
void for_each_device(const char *kind, void (*call)(const struct device *));

/// Prints the name, kind, node and serial number of each device, one device per line.
void list_devices(void);
