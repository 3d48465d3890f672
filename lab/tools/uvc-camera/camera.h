// The state of one USB camera: what it offers, what the host has chosen, what it is sending and what goes wrong.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#include "controls.h"
#include "film_file.h"
#include "motors.h"
#include "usbip.h"

enum { streaming_endpoint = 1, status_endpoint = 2 };
enum { control_length = 34 };  // a UVC 1.1 probe or commit control
enum { iso_payload = 3 * 1024 };

/// One video format of the film: its streams, in the order of the frame descriptors.
struct format {
  const char *fourcc;
  const struct film_stream *streams[film_streams];
  int stream_count;
};

/// What the host has chosen: one stream of the film at one interval (100 ns units).
struct choice {
  int format, stream;  // counted from 0
  uint32_t interval;
};

/// Faults still to come; the counters count frames.
struct faults {
  bool stalled;
  unsigned error, cut, drop;
  bool pipe;
  bool garbage;    // MJPEG frames that no decoder takes
  unsigned late;   // ms from the start of a stream to its first frame, beyond the usual
};

struct camera {
  struct film film;
  struct format formats[2];
  int format_count;
  bool bulk;
  const char *serial;
  int port;
  const char *place;  // the file that says which port it is in

  int connection;  // to the host, −1 while unplugged
  uint8_t configuration[1024];
  int configuration_length;
  struct choice probe, commit;
  bool committed;
  int alternate;
  struct controls controls;
  struct motors motors;

  struct transfer *listening;        // the host's on the status endpoint, NULL when it does not listen
  unsigned button;                   // 2 its button is to be told as pressed, 1 as let go, 0 nothing
  struct transfer *waiting, **last;  // transfers on the streaming endpoint
  const uint8_t *frame;              // what is left of the frame being sent, NULL between frames
  uint32_t frame_length, frame_sent;
  uint32_t frame_number;
  uint8_t frame_bit;  // toggles with each frame
  bool frame_broken;
  double next_frame, next_transfer;  // CLOCK_MONOTONIC, 0 before the first
  uint8_t *picture;                  // a frame changed by the controls
  uint8_t *payload;                  // of one transfer

  struct faults faults;
  int client;  // waits for the first frame a counted fault changes, −1 when none
};

const struct film_stream *chosen_stream(const struct camera *camera, const struct choice *choice);

/// Bytes the host is told a frame may have.
uint32_t frame_size(const struct film_stream *stream);

/// descriptors.c: fills the configuration descriptor from the film.
void describe(struct camera *camera);

/// requests.c: answers a transfer on the control endpoint.
void answer_control(struct camera *camera, struct transfer *transfer);

/// status.c: the host listens to what changes by itself. uvcvideo hands in one transfer at a time.
void listen_to(struct camera *camera, struct transfer *transfer);
bool remove_listening(struct camera *camera, uint32_t sequence);
/// Tells the host of one change, when it listens and there is one.
void tell_news(struct camera *camera);

/// stream.c: whether the host has the stream running.
bool is_streaming(const struct camera *camera);
/// Seconds until there is something to send, negative when the host has to move first.
double time_to_send(struct camera *camera);
/// Sends what is due.
void send_due(struct camera *camera);
/// Forgets the frame being sent and every waiting transfer.
void stop_stream(struct camera *camera);
bool remove_waiting(struct camera *camera, uint32_t sequence);
void add_waiting(struct camera *camera, struct transfer *transfer);

/// commands.c: does what a line from lab-ctl asks, and answers.
void obey(struct camera *camera, int client, const char *line);
/// A counted fault has changed a frame that is now on its way.
void fault_shown(struct camera *camera);
bool plug(struct camera *camera);
void unplug(struct camera *camera);
