// The USB/IP wire protocol (Documentation/usb/usbip_protocol.rst) between this device and the kernel's virtual USB host
// controller, over a socket pair: no network, no other machine.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// One isochronous packet of a transfer, in host byte order here, in network byte order on the wire.
struct iso_packet {
  uint32_t offset, length, actual_length, status;
};

/// A transfer the host waits for: on the control endpoint with its setup bytes and data, or on the streaming endpoint.
struct transfer {
  struct transfer *next;
  uint32_t sequence;
  uint32_t endpoint;
  bool to_host;
  uint32_t length;
  int packet_count;  // isochronous packets, 0 for other transfers
  uint32_t start_frame;
  uint8_t setup[8];
  uint8_t *data;  // what the host sent, length bytes
  struct iso_packet *packets;
};

enum incoming { incoming_transfer, incoming_unlink, incoming_nothing, incoming_closed };

/// Plugs a device into port of the controller; returns our end of the connection, -1 with errno when refused.
int attach_to_host(int port);

/// Reads one message. A transfer is the caller's to answer and free; of an unlink only its two numbers are set. `incoming_nothing` needs no
/// answer of the caller's: an unlink that came before its transfer, and the transfer that it was of.
enum incoming receive_message(int connection, struct transfer **transfer, uint32_t *sequence, uint32_t *unlinked);

/// Answers a transfer with a status (0 or a negative errno) and, towards the host, its data.
void answer_transfer(int connection, struct transfer *transfer, int status, const void *data, uint32_t length);

/// Answers an unlink: found says whether the transfer was still waiting.
void answer_unlink(int connection, uint32_t sequence, bool found);

void free_transfer(struct transfer *transfer);
