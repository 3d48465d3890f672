// The USB/IP protocol (Documentation/usb/usbip_protocol.rst) between this device and the kernel's virtual USB host controller, over
// a socket pair, without a network or another machine.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One isochronous packet of a transfer. Numbers are in host byte order here, and in network byte order on the wire.
struct iso_packet {
  uint32_t offset, length, actual_length, status;
};

/// A transfer that the host waits for: on the control endpoint with its setup bytes and data, or on the streaming endpoint.
struct transfer {
  struct transfer *next;
  uint32_t sequence;
  uint32_t endpoint;
  bool to_host;
  uint32_t length;
  int packet_count;  // isochronous packets, 0 for other transfers
  uint32_t start_frame;
  uint8_t setup[8];
  uint8_t *data;  // the host's data, `length` bytes
  struct iso_packet *packets;
};

enum incoming { incoming_transfer, incoming_unlink, incoming_nothing, incoming_closed };

/// Plugs a device into a port of the controller. Returns our end of the connection; -1 with errno if that is refused.
int attach_to_host(int port);

/// Reads one message. The caller must answer and free a transfer. For an unlink, only the two numbers are set. `incoming_nothing` needs no
/// answer by the caller: an unlink came before its transfer, or a transfer came after its unlink.
enum incoming receive_message(int connection, struct transfer **transfer, uint32_t *sequence, uint32_t *unlinked);

/// Answers a transfer with a status (0 or a negative errno) and, if the data go to the host, with its data.
void answer_transfer(int connection, struct transfer *transfer, int status, const void *data, uint32_t length);

/// Answers an unlink. `found` says whether the transfer was still waiting.
void answer_unlink(int connection, uint32_t sequence, bool found);

void free_transfer(struct transfer *transfer);
