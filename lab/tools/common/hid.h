// A HID device in user space (/dev/uhid), which the kernel's own drivers offer to applications.
#pragma once
#include <linux/uhid.h>

/// Opens a descriptor of /dev/uhid for the device; ends the program on failure.
int open_hid(void);

/// - product: its product number; the vendor is 0x1d6b, the Linux Foundation, as for the kernel's own virtual devices.
void plug_hid(int device, const char *name, __u16 product, const __u8 *descriptor, __u16 length);

void unplug_hid(int device);

/// Sends a report of the device; ends the program if the kernel refuses it.
void send_hid(int device, const struct uhid_event *event);
