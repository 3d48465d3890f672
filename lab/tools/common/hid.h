// A HID device in user space (/dev/uhid), which the kernel's own drivers offer to applications.
#pragma once
#include <linux/uhid.h>

/// Opens /dev/uhid, and returns its descriptor. Ends the program if that fails.
int open_hid(void);

/// Creates the device.
/// - product: the product number of the vendor 0x1d6b, which is used for invented devices.
void plug_hid(int device, const char *name, __u16 product, const __u8 *descriptor, __u16 length);

void unplug_hid(int device);

/// Sends an event of the device. Ends the program if the kernel refuses it.
void send_hid(int device, const struct uhid_event *event);
