// The commands of lab-ctl to the camera.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "camera.h"
#include "channel.h"
#include "common.h"

enum { ports = 8 };  // of the virtual USB controller

/// Writes the number of the USB port to the file that lab-ctl reads: only the port distinguishes twins.
static void note_place(const struct camera *camera) {
  FILE *file = fopen(camera->place, "we");
  if (!file) return;
  fprintf(file, "%d\n", camera->port + 1);
  fclose(file);
}

bool plug(struct camera *camera) {
  note_place(camera);
  camera->connection = attach_to_host(camera->port);
  camera->committed = false;
  camera->alternate = 0;
  return camera->connection >= 0;
}

void unplug(struct camera *camera) {
  shutdown(camera->connection, SHUT_RDWR);
  close(camera->connection);
  camera->connection = -1;
  camera->committed = false;
  camera->button = 0;
  stop_stream(camera);
  while (camera->waiting) remove_waiting(camera, camera->waiting->sequence);
  if (camera->listening) remove_listening(camera, camera->listening->sequence);
}

void fault_shown(struct camera *camera) {
  if (camera->client < 0) return;
  answer_done(camera->client, now());
  camera->client = -1;
}

/// The counter of the fault with this name; NULL if there is none.
static unsigned *counter_of(struct camera *camera, const char *word) {
  if (strcmp(word, "error") == 0) return &camera->faults.error;
  if (strcmp(word, "short") == 0) return &camera->faults.cut;
  if (strcmp(word, "drop") == 0) return &camera->faults.drop;
  return NULL;
}

/// Answers when the first frame has been changed. Without a stream it answers at once: the next stream is affected.
static void answer_when_shown(struct camera *camera, int client) {
  fault_shown(camera);
  camera->client = client;
  if (!is_streaming(camera) || camera->faults.stalled) fault_shown(camera);
}

/// - port: the port to plug it into; −1 for its former port.
static void plug_or_refuse(struct camera *camera, int client, long port) {
  if (camera->connection >= 0) {
    answer_refused(client, "is already plugged in");
    return;
  }
  if (port >= 0) camera->port = (int)port;
  if (plug(camera)) {
    answer_done(client, now());
  } else {
    char reason[128];
    snprintf(reason, sizeof reason, "the USB controller refuses it: %s", strerror(errno));
    answer_refused(client, reason);
  }
}

/// Carries out "light STOPS", "subject PAN TILT" and "control NAME WORD [NUMBER [NUMBER]]". Returns false if the line is none of
/// these.
static bool obey_control(struct camera *camera, int client, const char *line) {
  char name[32], word[32], rest[2];
  double light;
  long first = 0, second = 0;
  if (sscanf(line, "light %lf%1s", &light, rest) == 1) {
    if (!(light >= -8 && light <= 8)) {
      answer_refused(client, "light takes stops from -8 to 8");
    } else {
      set_light(&camera->controls, light);
      answer_done(client, now());
    }
    return true;
  }
  if (strncmp(line, "subject ", 8) == 0) {
    const char *reason = command_subject(&camera->motors, line);
    if (reason) answer_refused(client, reason);
    else answer_done(client, now());
    return true;
  }
  int words = sscanf(line, "control %31s %31s %ld %ld", name, word, &first, &second);
  if (words < 2) return false;
  const char *reason = command_control(&camera->controls, name, word, words - 2, first, second);
  if (reason) answer_refused(client, reason);
  else answer_done(client, now());
  return true;
}

void obey(struct camera *camera, int client, const char *line) {
  char word[32] = "", argument[32] = "";
  int words = sscanf(line, "%31s %31s", word, argument);
  char *end = argument;
  long count = strtol(argument, &end, 10);
  unsigned *counter = counter_of(camera, word);

  if (strcmp(word, "replug") == 0 && (words == 1 || (*end == 0 && count >= 1 && count <= ports))) {
    plug_or_refuse(camera, client, words == 1 ? -1 : count - 1);
  } else if (obey_control(camera, client, line)) {
    return;  // also while it is unplugged: faults stay
  } else if (camera->connection < 0) {
    answer_refused(client, "is unplugged");
  } else if (strcmp(word, "unplug") == 0) {
    double time = now();
    unplug(camera);
    answer_done(client, time);
  } else if (strcmp(word, "stall") == 0 && (strcmp(argument, "on") == 0 || strcmp(argument, "off") == 0)) {
    camera->faults.stalled = strcmp(argument, "on") == 0;
    answer_done(client, now());
  } else if (strcmp(word, "garbage") == 0 && (strcmp(argument, "on") == 0 || strcmp(argument, "off") == 0)) {
    camera->faults.garbage = strcmp(argument, "on") == 0;
    answer_done(client, now());
  } else if (strcmp(word, "late") == 0 && words == 2 && *end == 0 && count >= 0 && count <= 60000) {
    camera->faults.late = (unsigned)count;
    answer_done(client, now());
  } else if (counter && words == 2 && *end == 0 && count > 0 && count <= 100000) {
    *counter = (unsigned)count;
    answer_when_shown(camera, client);
  } else if (strcmp(word, "button") == 0) {
    // While the camera is closed, the press is lost, as with a real camera.
    if (camera->listening) camera->button = 2;
    answer_done(client, now());
  } else if (strcmp(word, "epipe") == 0) {
    camera->faults.pipe = true;
    answer_when_shown(camera, client);
  } else {
    answer_refused(client, "a USB camera knows unplug, replug [1-8], stall on, stall off, garbage on, garbage off, late MS, error N, short N, drop N, epipe, button, light STOPS, subject PAN TILT, subject none and control NAME FAULT");
  }
}
