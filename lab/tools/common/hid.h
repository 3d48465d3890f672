// A HID device in user space (/dev/uhid), which the kernel's own drivers serve to applications.
#pragma once
#include <linux/uhid.h>

/// The descriptor by which the device is driven; ends the program when there is none.
int open_hid(void);

/// - product: its number, of the vendor that stands for what is made up (0x1d6b).
void plug_hid(int device, const char *name, __u16 product, const __u8 *descriptor, __u16 length);

void unplug_hid(int device);

/// What the device says; ends the program when the kernel does not take it.
void send_hid(int device, const struct uhid_event *event);
