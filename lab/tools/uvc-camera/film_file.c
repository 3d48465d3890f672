#include "film_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "common.h"

static const struct film_frame *frames_of(const struct film *film, const struct film_stream *stream) {
  return (const struct film_frame *)(film->data + stream->index);
}

static void check_stream(const struct film *film, const struct film_stream *stream, const char *path) {
  bool inside = stream->frame_count > 0 && stream->index % 8 == 0 && stream->index <= film->length &&
                stream->frame_count <= (film->length - stream->index) / sizeof(struct film_frame);
  if (!inside || stream->interval_count < 1 || stream->interval_count > film_intervals)
    fail("the film %s is damaged; make it anew with lab-film", path);
  for (uint32_t i = 0; i < stream->frame_count; i++) {
    const struct film_frame *frame = frames_of(film, stream) + i;
    if (frame->offset > film->length || frame->length > film->length - frame->offset || frame->length > stream->largest)
      fail("the film %s is damaged; make it anew with lab-film", path);
  }
}

struct film open_film(const char *path, const char *fourcc) {
  struct stat status;
  struct film film = {0};
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0) fail("the film %s cannot be read: %s; check the path", path, strerror(errno));
  film.length = (size_t)status.st_size;
  const struct film_header *header = mmap(NULL, film.length, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (header == MAP_FAILED || film.length < sizeof *header || memcmp(header->magic, film_magic, sizeof header->magic) != 0 ||
      header->stream_count > film_streams)
    fail("%s is not a film; make one with lab-film", path);
  film.data = (const uint8_t *)header;
  for (uint32_t i = 0; i < header->stream_count; i++) {
    if (fourcc && memcmp(header->streams[i].fourcc, fourcc, 4) != 0) continue;
    check_stream(&film, &header->streams[i], path);
    film.streams[film.stream_count++] = header->streams[i];
  }
  if (film.stream_count == 0)
    fail("the film %s has no frames in %s; name a film that has, or leave out --mjpeg and --yuyv",
         path, fourcc ? fourcc : "any format");
  return film;
}

const uint8_t *film_frame(const struct film *film, const struct film_stream *stream, uint32_t number, size_t *length) {
  const struct film_frame *frame = frames_of(film, stream) + number % stream->frame_count;
  *length = frame->length;
  return film->data + frame->offset;
}
