// lab-film OUT [FOLDER]: makes the film that a USB camera plays, from the JPEG files in a corpus's frames folder, in the order of
// their names, or from a drawn test picture. For frames of W×H, the camera offers MJPEG at W×H (the files unchanged) and at half
// size, and YUYV at half size and at W×H, as fast as high-speed USB carries them. The test picture is also offered as MJPEG at
// 1920×1080.
// A corpus may contain frames that are broken on purpose. MJPEG at W×H sends them unchanged, except empty ones. The other streams
// need the decoded picture, and leave them out.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <turbojpeg.h>
#include <unistd.h>

#include "common.h"
#include "film.h"
#include "picture.h"

enum {
  test_frames = 64,
  most_frames = 600,
  most_stream_bytes = 64 << 20,
  most_file_bytes = 32 << 20,
  bytes_per_second = 22000000,  // what an isochronous endpoint of 3 × 1024 bytes carries, less headers and slack
};

static FILE *out;
static struct film_header header = {.magic = film_magic};

/// The source of the frames: JPEG files; none for the test picture.
struct source {
  int folder;
  char **names;
  uint32_t count;
  int width, height;
};

static void write_all(const void *data, size_t length) {
  if (fwrite(data, 1, length, out) != length)
    fail("the film cannot be written: %s; free space on its disk, or name another path", strerror(errno));
}

/// The rates among 30, 15, 10 and 5 frames a second at which USB can carry frames of that size; at least one.
static void choose_intervals(struct film_stream *stream) {
  static const uint32_t rates[] = {30, 15, 10, 5};
  for (size_t i = 0; i < sizeof rates / sizeof *rates && stream->interval_count < 2; i++)
    if ((uint64_t)stream->largest * rates[i] <= bytes_per_second) stream->intervals[stream->interval_count++] = 10000000 / rates[i];
  if (stream->interval_count == 0) stream->intervals[stream->interval_count++] = 10000000;
}

/// Maps the file of a frame. Returns NULL if the file is empty.
static uint8_t *map_file(const struct source *source, uint32_t number, size_t *length) {
  struct stat status;
  int file = openat(source->folder, source->names[number], O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0)
    fail("the frame %s cannot be read: %s; check its permissions", source->names[number], strerror(errno));
  if (status.st_size > most_file_bytes) fail("the frame %s is over 32 MiB; take it out of the folder", source->names[number]);
  *length = (size_t)status.st_size;
  uint8_t *data = *length ? mmap(NULL, *length, PROT_READ, MAP_PRIVATE, file, 0) : NULL;
  if (data == MAP_FAILED)
    fail("the frame %s cannot be mapped: %s; end other programs, or copy the folder to another disk",
         source->names[number], strerror(errno));
  close(file);
  return data;
}

/// Decodes frame NUMBER of the source into planes at the stream's size. Returns false if it is broken, or has another size than the
/// first.
static bool picture_of(const struct source *source, const struct film_stream *stream, uint32_t number, struct picture *picture) {
  if (!source->names) {
    *picture = new_picture((int)stream->width, (int)stream->height, TJSAMP_422);
    draw_test_frame(picture, number);
    return true;
  }
  size_t length;
  uint8_t *jpeg = map_file(source, number, &length);
  bool decoded = jpeg && decode_jpeg(jpeg, length, (int)stream->width == source->width ? 1 : 2, picture);
  if (jpeg) munmap(jpeg, length);
  if (!decoded) return false;
  if ((uint32_t)picture->width == stream->width && (uint32_t)picture->height == stream->height) return true;
  free_picture(picture);
  return false;
}

/// Writes one frame in the stream's format. Returns its length; 0 if the stream leaves the frame out.
static size_t write_frame(const struct source *source, const struct film_stream *stream, uint32_t number) {
  size_t length;
  bool mjpeg = memcmp(stream->fourcc, "MJPG", 4) == 0;
  if (mjpeg && source->names && (int)stream->width == source->width) {
    uint8_t *jpeg = map_file(source, number, &length);
    if (!jpeg) return 0;
    write_all(jpeg, length);
    munmap(jpeg, length);
    return length;
  }
  struct picture picture;
  if (!picture_of(source, stream, number, &picture)) return 0;
  if (mjpeg) {
    uint8_t *jpeg = encode_jpeg(&picture, &length);
    write_all(jpeg, length);
    free_jpeg(jpeg);
  } else {
    length = (size_t)picture.width * (size_t)picture.height * 2;
    uint8_t *yuyv = malloc(length);
    if (!yuyv)
      fail("there is no memory for a frame of %d×%d; end other programs, or name a folder with smaller pictures",
           picture.width, picture.height);
    pack_yuyv(&picture, yuyv);
    write_all(yuyv, length);
    free(yuyv);
  }
  free_picture(&picture);
  return length;
}

static void add_stream(const struct source *source, const char *fourcc, int width, int height) {
  if (width < 160 || height < 120 || width % 2) return;
  struct film_stream *stream = &header.streams[header.stream_count];
  memcpy(stream->fourcc, fourcc, 4);
  stream->width = (uint32_t)width;
  stream->height = (uint32_t)height;
  struct film_frame *frames = calloc(source->count, sizeof *frames);
  uint64_t total = 0;
  for (uint32_t number = 0; number < source->count && total < most_stream_bytes; number++) {
    struct film_frame frame = {.offset = (uint64_t)ftello(out)};
    frame.length = write_frame(source, stream, number);
    if (frame.length == 0) continue;
    total += frame.length;
    if (frame.length > stream->largest) stream->largest = (uint32_t)frame.length;
    frames[stream->frame_count++] = frame;
  }
  while (ftello(out) % 8) write_all("", 1);
  stream->index = (uint64_t)ftello(out);
  write_all(frames, stream->frame_count * sizeof *frames);
  free(frames);
  choose_intervals(stream);
  if (stream->frame_count > 0) header.stream_count++;
  else memset(stream, 0, sizeof *stream);
}

static int is_jpeg(const struct dirent *entry) {
  const char *end = strrchr(entry->d_name, '.');
  return end && (strcasecmp(end, ".jpg") == 0 || strcasecmp(end, ".jpeg") == 0);
}

static struct source open_folder(const char *path) {
  struct source source = {.folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  struct dirent **entries;
  int count = source.folder < 0 ? -1 : scandir(path, &entries, is_jpeg, alphasort);
  if (count < 0) fail("the folder %s cannot be read: %s; name the folder frames of a corpus", path, strerror(errno));
  if (count == 0) fail("the folder %s has no JPEG files; name the folder frames of a corpus in MJPEG", path);
  source.count = (uint32_t)(count < most_frames ? count : most_frames);
  source.names = calloc((size_t)count, sizeof *source.names);
  for (int i = 0; i < count; i++) source.names[i] = strdup(entries[i]->d_name);
  size_t length;
  int subsampling;
  for (uint32_t i = 0; i < source.count && source.width == 0; i++) {
    uint8_t *jpeg = map_file(&source, i, &length);
    if (!jpeg || !read_jpeg_header(jpeg, length, &source.width, &source.height, &subsampling)) source.width = 0;
    if (jpeg) munmap(jpeg, length);
  }
  if (source.width == 0)
    fail("no JPEG file in the folder %s is one that a camera would send: YCbCr or grey, at most 8192 pixels a side; "
         "name another folder", path);
  return source;
}

int main(int count, char **arguments) {
  if (count < 2 || count > 3) fail("usage: lab-film OUT [FOLDER]");
  struct source source = {.count = test_frames, .width = 1280, .height = 720};
  if (count == 3) source = open_folder(arguments[2]);
  out = fopen(arguments[1], "we");
  if (!out) fail("the film %s cannot be written: %s; name a path in a folder that you may write to", arguments[1], strerror(errno));
  write_all(&header, sizeof header);
  add_stream(&source, "MJPG", source.width, source.height);
  add_stream(&source, "MJPG", (source.width + 1) / 2, (source.height + 1) / 2);
  if (count == 2) add_stream(&source, "MJPG", 1920, 1080);
  add_stream(&source, "YUYV", (source.width + 1) / 2, (source.height + 1) / 2);
  add_stream(&source, "YUYV", source.width, source.height);
  if (header.stream_count == 0)
    fail("frames of %d×%d are too small for a camera, or of odd width; name a folder with frames of at least 160×120",
         source.width, source.height);
  rewind(out);
  write_all(&header, sizeof header);
  if (fclose(out) != 0)
    fail("the film %s cannot be written: %s; free space on its disk, or name another path", arguments[1], strerror(errno));
  return 0;
}
