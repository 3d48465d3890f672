#include "usbip.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/usb/ch9.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "common.h"

enum { submit = 1, unlink_request = 2, submit_answer = 3, unlink_answer = 4 };
enum { direction_in = 1, most_packets = 1024, most_data = 1 << 20, send_buffer = 4 << 20, most_early = 256 };

/// Unlinks that came before their transfers. The controller's thread sends all waiting transfers and then all unlinks, so a transfer that is
/// submitted and unlinked in between is sent after its unlink. If the unlink were answered at once, the controller would forget the transfer, and
/// would unplug the device for answering it later ("cannot find a urb of seqnum"). So the unlink waits for its transfer. Transfers come in the
/// order of their numbers.
static struct {
  uint32_t last;  // number of the last transfer
  struct { uint32_t sequence, unlinked; } early[most_early];
  int count;
} order;

/// The header of 48 bytes of USBIP_CMD_SUBMIT, USBIP_CMD_UNLINK and their answers. All numbers are big-endian.
struct message {
  uint32_t command, sequence, device, direction, endpoint;
  union {
    struct { uint32_t flags, length, start_frame, packet_count, interval; uint8_t setup[8]; } submit;
    struct { uint32_t status, length, start_frame, packet_count, error_count, padding[2]; } submit_answer;
    struct { uint32_t sequence, padding[6]; } unlink;
    struct { uint32_t status, padding[6]; } unlink_answer;
  };
};
_Static_assert(sizeof(struct message) == 48, "the USB/IP header is 48 bytes");

int attach_to_host(int port) {
  static uint32_t device;
  int pair[2], size = send_buffer;
  char line[64];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return -1;
  setsockopt(pair[0], SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
  snprintf(line, sizeof line, "%d %d %u %d", port, pair[1], 1U << 16 | ++device, USB_SPEED_HIGH);
  bool attached = write_text("/sys/devices/platform/vhci_hcd.0/attach", line);
  int reason = errno;
  close(pair[1]);
  order.last = 0;
  order.count = 0;
  if (attached) return pair[0];
  close(pair[0]);
  errno = reason;
  return -1;
}

static bool receive(int connection, void *data, size_t length) {
  for (uint8_t *place = data; length > 0;) {
    ssize_t count = recv(connection, place, length, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    place += count;
    length -= (size_t)count;
  }
  return true;
}

static void send_parts(int connection, struct iovec *parts, size_t count) {
  struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
  while (message.msg_iovlen > 0) {
    ssize_t sent = sendmsg(connection, &message, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) return;  // the host has gone, which the next receive reports
    while (message.msg_iovlen > 0 && (size_t)sent >= message.msg_iov->iov_len) {
      sent -= (ssize_t)message.msg_iov->iov_len;
      message.msg_iov++;
      message.msg_iovlen--;
    }
    if (message.msg_iovlen > 0) {
      message.msg_iov->iov_base = (uint8_t *)message.msg_iov->iov_base + sent;
      message.msg_iov->iov_len -= (size_t)sent;
    }
  }
}

void free_transfer(struct transfer *transfer) {
  free(transfer->data);
  free(transfer->packets);
  free(transfer);
}

static bool receive_packets(int connection, struct transfer *transfer) {
  transfer->packets = calloc((size_t)transfer->packet_count, sizeof *transfer->packets);
  if (!transfer->packets || !receive(connection, transfer->packets, (size_t)transfer->packet_count * sizeof *transfer->packets)) return false;
  for (int i = 0; i < transfer->packet_count; i++) {
    struct iso_packet *packet = transfer->packets + i;
    *packet = (struct iso_packet){ntohl(packet->offset), ntohl(packet->length), 0, 0};
  }
  return true;
}

static struct transfer *receive_transfer(int connection, const struct message *message) {
  struct transfer *transfer = calloc(1, sizeof *transfer);
  if (!transfer) return NULL;
  transfer->sequence = ntohl(message->sequence);
  transfer->endpoint = ntohl(message->endpoint);
  transfer->to_host = ntohl(message->direction) == direction_in;
  transfer->length = ntohl(message->submit.length);
  transfer->start_frame = ntohl(message->submit.start_frame);
  int32_t packets = (int32_t)ntohl(message->submit.packet_count);  // −1 for transfers that are not isochronous
  transfer->packet_count = packets > 0 ? packets : 0;
  memcpy(transfer->setup, message->submit.setup, sizeof transfer->setup);
  bool sane = transfer->length <= most_data && transfer->packet_count <= most_packets;
  if (sane && !transfer->to_host && transfer->length > 0) {
    transfer->data = malloc(transfer->length);
    sane = transfer->data && receive(connection, transfer->data, transfer->length);
  }
  if (sane && transfer->packet_count > 0) sane = receive_packets(connection, transfer);
  if (sane) return transfer;
  free_transfer(transfer);
  return NULL;
}

/// - Returns: whether the transfer of that number has not come yet; the unlink is then kept until it comes.
static bool keep_unlink(uint32_t sequence, uint32_t unlinked) {
  if ((int32_t)(unlinked - order.last) <= 0 || order.count == most_early) return false;
  order.early[order.count].sequence = sequence;
  order.early[order.count++].unlinked = unlinked;
  return true;
}

/// - Returns: whether the transfer had been unlinked before it came; then the unlink is answered, and the transfer is freed.
static bool was_unlinked(int connection, struct transfer *transfer) {
  order.last = transfer->sequence;
  for (int i = 0; i < order.count; i++) {
    if (order.early[i].unlinked != transfer->sequence) continue;
    answer_unlink(connection, order.early[i].sequence, true);
    order.early[i] = order.early[--order.count];
    free_transfer(transfer);
    return true;
  }
  return false;
}

enum incoming receive_message(int connection, struct transfer **transfer, uint32_t *sequence, uint32_t *unlinked) {
  struct message message;
  if (!receive(connection, &message, sizeof message)) return incoming_closed;
  switch (ntohl(message.command)) {
    case submit:
      *transfer = receive_transfer(connection, &message);
      if (!*transfer) return incoming_closed;
      return was_unlinked(connection, *transfer) ? incoming_nothing : incoming_transfer;
    case unlink_request:
      *sequence = ntohl(message.sequence);
      *unlinked = ntohl(message.unlink.sequence);
      return keep_unlink(*sequence, *unlinked) ? incoming_nothing : incoming_unlink;
    default:
      return incoming_closed;
  }
}

void answer_transfer(int connection, struct transfer *transfer, int status, const void *data, uint32_t length) {
  struct message message = {.command = htonl(submit_answer), .sequence = htonl(transfer->sequence)};
  message.submit_answer.status = htonl((uint32_t)status);
  message.submit_answer.length = htonl(length);
  message.submit_answer.start_frame = htonl(transfer->start_frame);
  message.submit_answer.packet_count = htonl(transfer->packet_count ? (uint32_t)transfer->packet_count : UINT32_MAX);
  for (int i = 0; i < transfer->packet_count; i++) {
    struct iso_packet *packet = transfer->packets + i;
    *packet = (struct iso_packet){htonl(packet->offset), htonl(packet->length), htonl(packet->actual_length), htonl(packet->status)};
  }
  struct iovec parts[] = {
      {&message, sizeof message},
      {(void *)data, transfer->to_host ? length : 0},
      {transfer->packets, (size_t)transfer->packet_count * sizeof *transfer->packets},
  };
  send_parts(connection, parts, sizeof parts / sizeof *parts);
}

void answer_unlink(int connection, uint32_t sequence, bool found) {
  struct message message = {.command = htonl(unlink_answer), .sequence = htonl(sequence)};
  message.unlink_answer.status = htonl((uint32_t)(found ? -ECONNRESET : 0));
  struct iovec part = {&message, sizeof message};
  send_parts(connection, &part, 1);
}
