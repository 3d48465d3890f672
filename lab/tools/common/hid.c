#include "hid.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

int open_hid(void) {
  int device = open("/dev/uhid", O_RDWR | O_CLOEXEC);
  if (device < 0) fail("/dev/uhid cannot be opened: %s; run this as root inside the lab", strerror(errno));
  return device;
}

void send_hid(int device, const struct uhid_event *event) {
  if (write(device, event, sizeof *event) < 0)
    fail("the kernel refuses an event for the HID device: %s; start the lab again", strerror(errno));
}

void plug_hid(int device, const char *name, __u16 product, const __u8 *descriptor, __u16 length) {
  struct uhid_event event = {.type = UHID_CREATE2};
  struct uhid_create2_req *request = &event.u.create2;
  strncpy((char *)request->name, name, sizeof request->name - 1);
  memcpy(request->rd_data, descriptor, length);
  request->rd_size = length;
  request->bus = 3;  // BUS_USB
  request->vendor = 0x1d6b;
  request->product = product;
  send_hid(device, &event);
}

void unplug_hid(int device) { send_hid(device, &(struct uhid_event){.type = UHID_DESTROY}); }
