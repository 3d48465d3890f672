// uvc-camera: a USB webcam in user space, which the kernel's own uvcvideo driver offers to applications.
//   uvc-camera --port N --serial TEXT --film FILE --socket PATH --place PATH [--mjpeg | --yuyv] [--bulk]
// It speaks USB/IP to the kernel's virtual host controller (modules vhci-hcd, uvcvideo) and plays a film made by lab-film.
// lab-ctl's commands come in on the socket; the file --place has the number of its port.
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "channel.h"
#include "common.h"

enum { largest_transfer = 4 << 20 };

static size_t largest_frame(const struct film *film) {
  size_t largest = 0;
  for (uint32_t i = 0; i < film->stream_count; i++)
    if (film->streams[i].largest > largest) largest = film->streams[i].largest;
  return largest;
}

static void sort_streams(struct camera *camera) {
  for (uint32_t i = 0; i < camera->film.stream_count; i++) {
    const struct film_stream *stream = &camera->film.streams[i];
    const char *fourcc = memcmp(stream->fourcc, "MJPG", 4) == 0 ? "MJPG" : "YUYV";
    int number = 0;
    while (number < camera->format_count && strcmp(camera->formats[number].fourcc, fourcc) != 0) number++;
    struct format *format = &camera->formats[number];
    if (number == camera->format_count) camera->format_count++;
    format->fourcc = fourcc;
    format->streams[format->stream_count++] = stream;
  }
}

static struct camera read_options(int count, char **arguments, const char **socket) {
  static const struct option options[] = {
      {"port", required_argument, NULL, 'p'}, {"serial", required_argument, NULL, 's'}, {"film", required_argument, NULL, 'f'},
      {"socket", required_argument, NULL, 'c'}, {"place", required_argument, NULL, 'l'}, {"mjpeg", no_argument, NULL, 'm'}, {"yuyv", no_argument, NULL, 'y'},
      {"bulk", no_argument, NULL, 'b'}, {NULL, 0, NULL, 0},
  };
  struct camera camera = {.serial = "", .connection = -1, .client = -1};
  reset_controls(&camera.controls);
  const char *film = NULL, *fourcc = NULL;
  for (int option; (option = getopt_long(count, arguments, "", options, NULL)) != -1;) {
    switch (option) {
      case 'p': camera.port = atoi(optarg); break;
      case 's': camera.serial = optarg; break;
      case 'f': film = optarg; break;
      case 'c': *socket = optarg; break;
      case 'l': camera.place = optarg; break;
      case 'm': fourcc = "MJPG"; break;
      case 'y': fourcc = "YUYV"; break;
      case 'b': camera.bulk = true; break;
      default: exit(2);
    }
  }
  if (!film || !*socket || !camera.place) fail("usage: uvc-camera --port N --serial TEXT --film FILE --socket PATH --place PATH [--mjpeg | --yuyv] [--bulk]");
  camera.film = open_film(film, fourcc);
  return camera;
}

static void receive(struct camera *camera) {
  struct transfer *transfer;
  uint32_t sequence, unlinked;
  switch (receive_message(camera->connection, &transfer, &sequence, &unlinked)) {
    case incoming_transfer:
      if (transfer->endpoint == 0) answer_control(camera, transfer);
      else if (transfer->endpoint == status_endpoint) listen_to(camera, transfer);
      else add_waiting(camera, transfer);
      break;
    case incoming_unlink:
      answer_unlink(camera->connection, sequence, remove_waiting(camera, unlinked) || remove_listening(camera, unlinked));
      break;
    case incoming_nothing:
      break;
    case incoming_closed:
      unplug(camera);
      break;
  }
}

int main(int count, char **arguments) {
  const char *socket = NULL;
  struct camera camera = read_options(count, arguments, &socket);
  camera.last = &camera.waiting;
  camera.picture = malloc(largest_frame(&camera.film));
  camera.payload = malloc(largest_transfer);
  if (!camera.picture || !camera.payload)
    fail("there is no memory for a frame of the camera %s; give lab/run more --memory", camera.serial);
  sort_streams(&camera);
  describe(&camera);
  if (!plug(&camera))
    fail("the camera %s cannot be plugged into port %d of the virtual USB controller: %s; "
         "run this inside the lab, and name a free port", camera.serial, camera.port, strerror(errno));
  int listener = listen_at(socket);
  for (;;) {
    double left = time_to_send(&camera);
    struct timespec wait = {(time_t)floor(left), (long)((left - floor(left)) * 1e9)};
    struct pollfd ready[2] = {{camera.connection, POLLIN, 0}, {listener, POLLIN, 0}};
    ppoll(ready, 2, left < 0 ? NULL : &wait, NULL);
    if (ready[0].revents) receive(&camera);
    if (ready[1].revents) {
      char line[256];
      int client = next_question(listener, line, sizeof line);
      if (client >= 0) obey(&camera, client, line);
    }
    tell_news(&camera);
    if (!ready[0].revents) send_due(&camera);
  }
}
