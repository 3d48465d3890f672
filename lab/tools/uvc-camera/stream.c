// Sends frames at the chosen interval, in UVC payloads (each with a two-byte header) that go into the packets of isochronous
// transfers or into whole bulk transfers.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "camera.h"
#include "common.h"

// The bits of a payload header, UVC 1.1, table 2-5.
enum { end_of_frame = 0x02, payload_error = 0x40, end_of_header = 0x80, header_length = 2 };
static const double microframe = 125e-6;

void add_waiting(struct camera *camera, struct transfer *transfer) {
  *camera->last = transfer;
  camera->last = &transfer->next;
}

static struct transfer *take_first(struct camera *camera) {
  struct transfer *transfer = camera->waiting;
  camera->waiting = transfer->next;
  if (!camera->waiting) camera->last = &camera->waiting;
  return transfer;
}

bool remove_waiting(struct camera *camera, uint32_t sequence) {
  for (struct transfer **place = &camera->waiting; *place; place = &(*place)->next) {
    struct transfer *transfer = *place;
    if (transfer->sequence != sequence) continue;
    *place = transfer->next;
    if (camera->last == &transfer->next) camera->last = place;
    free_transfer(transfer);
    return true;
  }
  return false;
}

void stop_stream(struct camera *camera) {
  camera->frame = NULL;
  camera->next_frame = camera->next_transfer = 0;
}

bool is_streaming(const struct camera *camera) {
  return camera->connection >= 0 && camera->committed && (camera->bulk ? camera->waiting != NULL || camera->next_frame > 0 : camera->alternate == 1);
}

/// Applies the position of the motors, exposure, gain, white balance and similar controls to uncompressed frames.
static const uint8_t *apply_controls(struct camera *camera, const struct film_stream *stream, const uint8_t *frame, size_t length) {
  if (length == (size_t)stream->width * stream->height * 2)
    frame = aim(&camera->motors, &camera->controls, frame, (int)stream->width, (int)stream->height, camera->picture);
  uint8_t luma[256], blue[256], red[256];
  if (!picture_tables(&camera->controls, luma, blue, red)) return frame;
  uint8_t *picture = camera->picture;
  for (size_t i = 0; i + 3 < length; i += 4) {
    picture[i] = luma[frame[i]];
    picture[i + 1] = blue[frame[i + 1]];
    picture[i + 2] = luma[frame[i + 2]];
    picture[i + 3] = red[frame[i + 3]];
  }
  return picture;
}

/// Makes a frame of the same length that begins like a JPEG but cannot be decoded.
static const uint8_t *make_garbage(struct camera *camera, const uint8_t *frame, size_t length) {
  for (size_t i = 0; i < length; i++) camera->picture[i] = i < 2 ? frame[i] : (uint8_t)(i * 73 % 251);
  return camera->picture;
}

/// Takes the next frame of the film and applies the fault that is due; false if the fault is a dropped frame.
static bool start_frame(struct camera *camera) {
  const struct film_stream *stream = chosen_stream(camera, &camera->commit);
  size_t length;
  const uint8_t *frame = film_frame(&camera->film, stream, camera->frame_number++, &length);
  struct faults *faults = &camera->faults;
  if (faults->drop > 0) {
    faults->drop--;
    fault_shown(camera);
    return false;
  }
  if (memcmp(stream->fourcc, "YUYV", 4) == 0) frame = apply_controls(camera, stream, frame, length);
  else if (faults->garbage) frame = make_garbage(camera, frame, length);
  camera->frame_broken = faults->error > 0;
  if (faults->cut > 0) length /= 2;
  if (faults->cut > 0 || faults->error > 0) fault_shown(camera);
  faults->cut -= faults->cut > 0;
  faults->error -= faults->error > 0;
  camera->frame = frame;
  camera->frame_length = (uint32_t)length;
  camera->frame_sent = 0;
  camera->frame_bit ^= 1;
  return true;
}

/// Starts the frame that is due, if there is one; frames that are more than a second late are skipped.
static void start_due_frame(struct camera *camera, double time) {
  if (camera->frame || time < camera->next_frame) return;
  camera->next_frame += camera->commit.interval / 1e7;
  if (camera->next_frame < time - 1) camera->next_frame = time;
  start_frame(camera);
}

static uint8_t header_bits(const struct camera *camera) {
  return (uint8_t)(end_of_header | camera->frame_bit | (camera->frame && camera->frame_broken ? payload_error : 0));
}

/// Copies up to `room` bytes of the frame; true if this was its end.
static bool copy_frame(struct camera *camera, uint8_t *place, uint32_t room, uint32_t *copied) {
  uint32_t left = camera->frame_length - camera->frame_sent;
  *copied = left < room ? left : room;
  memcpy(place, camera->frame + camera->frame_sent, *copied);
  camera->frame_sent += *copied;
  return camera->frame_sent == camera->frame_length;
}

/// Writes one isochronous payload: a header and as much of the frame as fits, or only a header between frames. Returns its length.
static uint32_t iso_payload_at(struct camera *camera, uint8_t *place, uint32_t room) {
  if (room < header_length) return 0;
  uint32_t copied = 0;
  place[0] = header_length;
  place[1] = header_bits(camera);
  if (camera->frame && copy_frame(camera, place + header_length, room - header_length, &copied)) {
    place[1] |= end_of_frame;
    camera->frame = NULL;
  }
  return header_length + copied;
}

static void send_iso(struct camera *camera, double time) {
  struct transfer *transfer = take_first(camera);
  uint32_t total = 0;
  camera->next_transfer += transfer->packet_count * microframe;
  if (camera->next_transfer < time - 0.1) camera->next_transfer = time;
  int status = camera->faults.pipe ? -EPIPE : 0;
  for (int i = 0; i < transfer->packet_count; i++) {
    struct iso_packet *packet = transfer->packets + i;
    start_due_frame(camera, time);
    uint32_t room = packet->length < iso_payload ? packet->length : iso_payload;
    packet->actual_length = iso_payload_at(camera, camera->payload + total, room);
    total += packet->actual_length;
  }
  answer_transfer(camera->connection, transfer, status, camera->payload, total);
  free_transfer(transfer);
  if (status) {
    camera->faults.pipe = false;
    fault_shown(camera);
  }
}

/// Sends a bulk payload: a complete frame over as many transfers as it takes. A transfer that is not full ends it.
static void send_bulk(struct camera *camera) {
  while (camera->frame && camera->waiting) {
    struct transfer *transfer = take_first(camera);
    if (camera->faults.pipe) {
      camera->faults.pipe = false;
      answer_transfer(camera->connection, transfer, -EPIPE, NULL, 0);
      fault_shown(camera);
    } else {
      uint32_t length = 0, copied;
      if (camera->frame_sent == 0) {
        camera->payload[0] = header_length;
        camera->payload[1] = header_bits(camera) | end_of_frame;
        length = header_length;
      }
      bool end = copy_frame(camera, camera->payload + length, transfer->length - length, &copied);
      length += copied;
      bool full_payload = camera->frame_length == frame_size(chosen_stream(camera, &camera->commit));
      if (end && (length < transfer->length || full_payload)) camera->frame = NULL;
      answer_transfer(camera->connection, transfer, 0, camera->payload, length);
    }
    free_transfer(transfer);
  }
}

double time_to_send(struct camera *camera) {
  if (!is_streaming(camera) || camera->faults.stalled || !camera->waiting) return -1;
  double time = now();
  if (camera->next_frame == 0) {
    camera->next_transfer = time;
    camera->next_frame = time + camera->faults.late / 1000.0;
  }
  if (camera->bulk && camera->frame) return 0;
  double left = (camera->bulk ? camera->next_frame : camera->next_transfer) - time;
  return left > 0 ? left : 0;
}

void send_due(struct camera *camera) {
  if (time_to_send(camera) != 0) return;
  double time = now();
  if (!camera->bulk) {
    send_iso(camera, time);
    return;
  }
  start_due_frame(camera, time);
  send_bulk(camera);
}
