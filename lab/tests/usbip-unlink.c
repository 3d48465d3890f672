// Plays the kernel's end of a USB/IP connection, and tests how usbip.c handles an unlink after its transfer and an unlink before
// its transfer. Prints "ok" and "not ok" lines. Build: gcc … usbip-unlink.c ../tools/uvc-camera/usbip.c
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "usbip.h"

bool write_text(const char *path, const char *text) {
  (void)path, (void)text;
  return false;
}

static int host, device;

static void check(const char *description, bool passed) { printf("%s %s\n", passed ? "ok" : "not ok", description); }

static void send_words(uint32_t command, uint32_t sequence, uint32_t word5) {
  uint32_t words[12] = {htonl(command), htonl(sequence), 0, htonl(1), htonl(1), htonl(word5)};
  words[8] = htonl(UINT32_MAX);
  if (send(host, words, sizeof words, 0) != sizeof words) perror("send");
}

/// Returns the status in the answer with that command and number; 1 if there is no answer, or another one.
static int answer(uint32_t command, uint32_t sequence) {
  uint32_t words[12];
  if (recv(host, words, sizeof words, MSG_DONTWAIT) != sizeof words) return 1;
  return ntohl(words[0]) == command && ntohl(words[1]) == sequence ? (int)ntohl(words[5]) : 1;
}

static enum incoming next(void) {
  struct transfer *transfer = NULL;
  uint32_t sequence = 0, unlinked = 0;
  enum incoming kind = receive_message(device, &transfer, &sequence, &unlinked);
  if (kind == incoming_transfer) free_transfer(transfer);
  return kind;
}

int main(void) {
  int pair[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0) return 1;
  host = pair[0], device = pair[1];
  send_words(1, 7, 0);
  check("a transfer is handed on", next() == incoming_transfer);
  send_words(2, 8, 7);
  check("the unlink of a transfer that came is handed on", next() == incoming_unlink);
  send_words(2, 10, 9);
  check("an unlink before its transfer waits", next() == incoming_nothing && answer(4, 10) == 1);
  send_words(1, 9, 0);
  check("its transfer is never handed on", next() == incoming_nothing);
  check("and the unlink is answered as one that found it", answer(4, 10) == -104);
  check("with nothing else", answer(3, 9) == 1);
  send_words(1, 11, 0);
  check("the transfer after it is handed on", next() == incoming_transfer);
  return 0;
}
