#include "channel.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "common.h"

static struct sockaddr_un address_of(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path)
    fail("the socket path %s is too long; name one of at most %zu bytes", path, sizeof address.sun_path - 1);
  strcpy(address.sun_path, path);
  return address;
}

int listen_at(const char *path) {
  struct sockaddr_un address = address_of(path);
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  unlink(path);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) < 0 || listen(listener, 8) < 0)
    fail("the socket %s cannot be made: %s; run this inside the lab, where its folder exists", path, strerror(errno));
  return listener;
}

static void limit_wait(int socket, int seconds) {
  struct timeval limit = {.tv_sec = seconds};
  setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
}

/// Reads a line up to its end, the end of the stream or the time limit.
static bool receive_line(int socket, char *line, size_t size) {
  size_t used = 0;
  while (used + 1 < size) {
    ssize_t length = recv(socket, line + used, size - 1 - used, 0);
    if (length <= 0) return false;
    used += (size_t)length;
    line[used] = 0;
    char *end = strchr(line, '\n');
    if (end) {
      *end = 0;
      return true;
    }
  }
  return false;
}

int next_question(int listener, char *line, size_t size) {
  int client = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
  if (client < 0) return -1;
  limit_wait(client, 1);
  if (receive_line(client, line, size)) return client;
  close(client);
  return -1;
}

static void answer(int client, const char *text) {
  send(client, text, strlen(text), MSG_NOSIGNAL);
  close(client);
}

void answer_done(int client, double time) {
  char text[64];
  snprintf(text, sizeof text, "ok %.6f\n", time);
  answer(client, text);
}

void answer_refused(int client, const char *reason) {
  char text[256];
  snprintf(text, sizeof text, "%s\n", reason);
  answer(client, text);
}

bool ask(const char *path, const char *line, char *answer, size_t size) {
  struct sockaddr_un address = address_of(path);
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (server < 0 || connect(server, (struct sockaddr *)&address, sizeof address) < 0)
    fail("nothing listens at %s: %s; run this inside the lab, and start the lab again if the device's program has ended",
         path, strerror(errno));
  limit_wait(server, 10);
  char text[512];
  int length = snprintf(text, sizeof text, "%s\n", line);
  bool success = send(server, text, (size_t)length, MSG_NOSIGNAL) == length && receive_line(server, answer, size);
  close(server);
  return success;
}
