// The status endpoint: reports controls that change by themselves to the host.
#include <linux/usb/video.h>
#include <stddef.h>
#include <string.h>

#include "camera.h"

void listen_to(struct camera *camera, struct transfer *transfer) {
  if (camera->listening) free_transfer(camera->listening);
  camera->listening = transfer;
}

bool remove_listening(struct camera *camera, uint32_t sequence) {
  if (!camera->listening || camera->listening->sequence != sequence) return false;
  free_transfer(camera->listening);
  camera->listening = NULL;
  return true;
}

/// Writes the packet of the camera's button (UVC 1.1, table 2-3), and returns its length.
static int take_button(struct camera *camera, uint8_t packet[status_length]) {
  camera->button--;
  const uint8_t change[] = {UVC_STATUS_TYPE_STREAMING, 1 /* the interface */, 0, (uint8_t)camera->button};
  memcpy(packet, change, sizeof change);
  return sizeof change;
}

void tell_news(struct camera *camera) {
  if (!camera->listening) return;
  uint8_t packet[status_length];
  int length = camera->button > 0 ? take_button(camera, packet) : take_news(&camera->controls, packet);
  if (length == 0) return;
  struct transfer *transfer = camera->listening;
  camera->listening = NULL;
  uint32_t sent = (uint32_t)length < transfer->length ? (uint32_t)length : transfer->length;
  answer_transfer(camera->connection, transfer, 0, packet, sent);
  free_transfer(transfer);
}
