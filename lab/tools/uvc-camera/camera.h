// The state of one USB camera: its offer, the host's choice, the frame being sent, and the faults.
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

/// A video format of the film: its streams, in the order of the frame descriptors.
struct format {
  const char *fourcc;
  const struct film_stream *streams[film_streams];
  int stream_count;
};

/// The host's choice: a stream of the film, at an interval in units of 100 ns.
struct choice {
  int format, stream;  // counted from 0
  uint32_t interval;
};

/// Faults that are still to be applied; the counters count frames.
struct faults {
  bool stalled;
  unsigned error, cut, drop;
  bool pipe;
  bool garbage;    // MJPEG frames that no decoder takes
  unsigned late;   // additional ms from the start of a stream to its first frame
};

struct camera {
  struct film film;
  struct format formats[2];
  int format_count;
  bool bulk;
  const char *serial;
  int port;
  const char *place;  // the file with the number of its present port

  int connection;  // to the host, −1 while unplugged
  uint8_t configuration[1024];
  int configuration_length;
  struct choice probe, commit;
  bool committed;
  int alternate;
  struct controls controls;
  struct motors motors;

  struct transfer *listening;        // the host's transfer on the status endpoint; NULL if there is none
  unsigned button;                   // next report of its button: 2 pressed, 1 released, 0 none
  struct transfer *waiting, **last;  // transfers on the streaming endpoint
  const uint8_t *frame;              // the rest of the frame being sent; NULL between frames
  uint32_t frame_length, frame_sent;
  uint32_t frame_number;
  uint8_t frame_bit;  // toggles with each frame
  bool frame_broken;
  double next_frame, next_transfer;  // CLOCK_MONOTONIC, 0 before the first
  uint8_t *picture;                  // a frame changed by the controls
  uint8_t *payload;                  // of one transfer

  struct faults faults;
  int client;  // the lab-ctl that waits for the first frame changed by a counted fault; −1 if there is none
};

const struct film_stream *chosen_stream(const struct camera *camera, const struct choice *choice);

/// The largest size of a frame in bytes, as reported to the host.
uint32_t frame_size(const struct film_stream *stream);

/// In descriptors.c: fills the configuration descriptor from the film.
void describe(struct camera *camera);

/// In requests.c: answers a transfer on the control endpoint.
void answer_control(struct camera *camera, struct transfer *transfer);

/// status.c: takes the host's transfer for changes that the device makes by itself. uvcvideo submits one at a time.
void listen_to(struct camera *camera, struct transfer *transfer);
bool remove_listening(struct camera *camera, uint32_t sequence);
/// Reports one change to the host, if there is one and the host has a transfer for it.
void tell_news(struct camera *camera);

/// In stream.c: whether the host has started the stream.
bool is_streaming(const struct camera *camera);
/// Seconds until something is due to be sent; negative if the host must act first.
double time_to_send(struct camera *camera);
/// Sends all data that are due.
void send_due(struct camera *camera);
/// Discards the frame that is being sent.
void stop_stream(struct camera *camera);
bool remove_waiting(struct camera *camera, uint32_t sequence);
void add_waiting(struct camera *camera, struct transfer *transfer);

/// commands.c: executes a line from lab-ctl, and answers.
void obey(struct camera *camera, int client, const char *line);
/// Answers the waiting client, because a counted fault has changed a frame that is now being sent.
void fault_shown(struct camera *camera);
bool plug(struct camera *camera);
void unplug(struct camera *camera);
