// A camera for one process. Preloaded by LD_PRELOAD, it answers the program's calls on FILM_NODE like a V4L2 driver, and plays the
// JPEG files FILM_FOLDER/0000.jpg … 0255.jpg at FILM_RATE pictures a second. Picture n is exposed at n / FILM_RATE seconds of
// CLOCK_MONOTONIC, and is file n mod 256. So the number in a picture tells any process when the picture was exposed.
//
// A thread fills the buffers, as a driver does by DMA, in the order in which they were queued. A picture is lost if no buffer is
// queued. Programs that are linked statically with the C library do not use this camera.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/videodev2.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { width = 1280, height = 720, pictures = 256, buffers_most = 32, buffer_bytes = 1 << 20 };

static struct {
  pthread_mutex_t lock;
  /// The two ends of a pipe. A byte for each filled buffer wakes a process that waits for the node. The node is never writable.
  int descriptor, teller, memory, rate;
  bool streams;
  pthread_t thread;
  uint32_t count, sequence;
  struct v4l2_buffer buffers[buffers_most];
  /// The indices of buffers, the oldest first.
  uint32_t queued[buffers_most], filled[buffers_most], queued_count, filled_count;
  uint8_t *files[pictures];
  uint32_t lengths[pictures];
} film = {.lock = PTHREAD_MUTEX_INITIALIZER, .descriptor = -1, .teller = -1, .memory = -1};

static void complain(const char *what) {
  fprintf(stderr, "film-camera: %s: %s\n", what, strerror(errno));
  exit(70);
}

static void load(void) {
  const char *folder = getenv("FILM_FOLDER"), *rate = getenv("FILM_RATE");
  film.rate = rate ? atoi(rate) : 0;
  if (!folder || film.rate < 1 || film.rate > 240) errno = EINVAL, complain("FILM_FOLDER and FILM_RATE (1 to 240) say what is played");
  for (int number = 0; number < pictures; number++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%04d.jpg", folder, number);
    FILE *file = fopen(path, "rb");
    if (!file) complain(path);
    film.files[number] = malloc(buffer_bytes);
    if (!film.files[number]) complain("memory for the film");
    film.lengths[number] = (uint32_t)fread(film.files[number], 1, buffer_bytes, file);
    fclose(file);
  }
}

static uint32_t take_first(uint32_t *numbers, uint32_t *count) {
  uint32_t first = numbers[0];
  memmove(numbers, numbers + 1, --*count * sizeof *numbers);
  return first;
}

/// Returns the exposure time of a picture, in nanoseconds.
static int64_t exposure(int64_t number) { return number * 1000000000 / film.rate; }

static void fill(int64_t number) {
  uint32_t index = take_first(film.queued, &film.queued_count), picture = (uint32_t)(number % pictures);
  struct v4l2_buffer *buffer = &film.buffers[index];
  void *room = mmap(NULL, buffer_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, film.memory, (off_t)index * buffer_bytes);
  if (room == MAP_FAILED) complain("mapping a buffer");
  memcpy(room, film.files[picture], film.lengths[picture]);
  munmap(room, buffer_bytes);
  int64_t time = exposure(number);
  buffer->bytesused = film.lengths[picture];
  buffer->timestamp = (struct timeval){.tv_sec = time / 1000000000, .tv_usec = time % 1000000000 / 1000};
  buffer->flags = V4L2_BUF_FLAG_DONE | V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE;
  buffer->sequence = film.sequence;
  film.filled[film.filled_count++] = index;
  if (write(film.teller, "", 1) != 1) complain("telling of a picture");
}

static void *play(void *nothing) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t number = (int64_t)(((__int128)now.tv_sec * 1000000000 + now.tv_nsec) * film.rate / 1000000000);
  while (true) {
    int64_t time = exposure(++number);
    struct timespec next = {.tv_sec = time / 1000000000, .tv_nsec = time % 1000000000};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL) == EINTR) {}
    pthread_mutex_lock(&film.lock);
    bool streams = film.streams;
    if (streams && film.queued_count) fill(number);
    film.sequence++;
    pthread_mutex_unlock(&film.lock);
    if (!streams) return nothing;
  }
}

// The calls to the driver. Each returns 0 or an error number.

static int capabilities(struct v4l2_capability *answer) {
  *answer = (struct v4l2_capability){.driver = "film-camera", .card = "Film", .bus_info = "platform:film", .version = 0x060100};
  answer->device_caps = V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_STREAMING;
  answer->capabilities = answer->device_caps | V4L2_CAP_DEVICE_CAPS;
  return 0;
}

static int format(struct v4l2_format *answer) {
  if (answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  answer->fmt.pix = (struct v4l2_pix_format){.width = width, .height = height, .pixelformat = V4L2_PIX_FMT_MJPEG, .field = V4L2_FIELD_NONE, .sizeimage = buffer_bytes, .colorspace = V4L2_COLORSPACE_JPEG};
  return 0;
}

static int parameters(struct v4l2_streamparm *answer) {
  if (answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  answer->parm.capture = (struct v4l2_captureparm){.capability = V4L2_CAP_TIMEPERFRAME, .timeperframe = {1, (uint32_t)film.rate}, .readbuffers = 2};
  return 0;
}

static int sizes(struct v4l2_frmsizeenum *answer) {
  if (answer->index || answer->pixel_format != V4L2_PIX_FMT_MJPEG) return EINVAL;
  answer->type = V4L2_FRMSIZE_TYPE_DISCRETE;
  answer->discrete = (struct v4l2_frmsize_discrete){width, height};
  return 0;
}

static int intervals(struct v4l2_frmivalenum *answer) {
  if (answer->index || answer->pixel_format != V4L2_PIX_FMT_MJPEG || answer->width != width || answer->height != height) return EINVAL;
  answer->type = V4L2_FRMIVAL_TYPE_DISCRETE;
  answer->discrete = (struct v4l2_fract){1, (uint32_t)film.rate};
  return 0;
}

static int formats(struct v4l2_fmtdesc *answer) {
  if (answer->index || answer->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  *answer = (struct v4l2_fmtdesc){.type = answer->type, .flags = V4L2_FMT_FLAG_COMPRESSED, .description = "Motion-JPEG", .pixelformat = V4L2_PIX_FMT_MJPEG};
  return 0;
}

static int inputs(struct v4l2_input *answer) {
  if (answer->index) return EINVAL;
  *answer = (struct v4l2_input){.name = "Film", .type = V4L2_INPUT_TYPE_CAMERA};
  return 0;
}

static int make_buffers(struct v4l2_requestbuffers *asked) {
  if (asked->memory != V4L2_MEMORY_MMAP || asked->type != V4L2_BUF_TYPE_VIDEO_CAPTURE) return EINVAL;
  if (asked->count > buffers_most) asked->count = buffers_most;
  film.count = asked->count;
  film.queued_count = film.filled_count = 0;
  asked->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP;
  for (uint32_t index = 0; index < film.count; index++)
    film.buffers[index] = (struct v4l2_buffer){.index = index, .type = asked->type, .memory = V4L2_MEMORY_MMAP, .length = buffer_bytes, .m.offset = index * buffer_bytes, .field = V4L2_FIELD_NONE, .flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC | V4L2_BUF_FLAG_TSTAMP_SRC_SOE};
  return 0;
}

static int buffer(struct v4l2_buffer *answer) {
  if (answer->index >= film.count) return EINVAL;
  *answer = film.buffers[answer->index];
  return 0;
}

static int queue(struct v4l2_buffer *given) {
  if (given->index >= film.count || film.queued_count >= film.count) return EINVAL;
  film.queued[film.queued_count++] = given->index;
  return buffer(given);
}

static int dequeue(struct v4l2_buffer *answer) {
  if (!film.streams) return EINVAL;
  if (!film.filled_count) return EAGAIN;
  char one;
  if (read(film.descriptor, &one, 1) != 1) complain("taking a picture");
  *answer = film.buffers[take_first(film.filled, &film.filled_count)];
  return 0;
}

static int stream(bool begins) {
  if (begins == film.streams) return 0;
  film.streams = begins;
  if (begins) return pthread_create(&film.thread, NULL, play, NULL);
  pthread_mutex_unlock(&film.lock);
  pthread_join(film.thread, NULL);
  pthread_mutex_lock(&film.lock);
  char one;
  while (film.filled_count && take_first(film.filled, &film.filled_count) < film.count)
    if (read(film.descriptor, &one, 1) != 1) complain("ending the film");
  film.queued_count = 0;
  return 0;
}

static int answer(unsigned long request, void *argument) {
  switch ((uint32_t)request) {
  case VIDIOC_QUERYCAP: return capabilities(argument);
  case VIDIOC_ENUM_FMT: return formats(argument);
  case VIDIOC_ENUM_FRAMESIZES: return sizes(argument);
  case VIDIOC_ENUM_FRAMEINTERVALS: return intervals(argument);
  case VIDIOC_G_FMT: case VIDIOC_S_FMT: case VIDIOC_TRY_FMT: return format(argument);
  case VIDIOC_G_PARM: case VIDIOC_S_PARM: return parameters(argument);
  case VIDIOC_ENUMINPUT: return inputs(argument);
  case VIDIOC_G_INPUT: *(int *)argument = 0; return 0;
  case VIDIOC_S_INPUT: return *(int *)argument ? EINVAL : 0;
  case VIDIOC_REQBUFS: return make_buffers(argument);
  case VIDIOC_QUERYBUF: return buffer(argument);
  case VIDIOC_QBUF: return queue(argument);
  case VIDIOC_DQBUF: return dequeue(argument);
  case VIDIOC_STREAMON: return stream(true);
  case VIDIOC_STREAMOFF: return stream(false);
  default: return ENOTTY;
  }
}

// The functions that the program calls.

static bool is_ours(const char *path) {
  const char *node = getenv("FILM_NODE");
  return node && strcmp(path, node) == 0;
}

static int open_film(void) {
  pthread_mutex_lock(&film.lock);
  if (!film.files[0]) load();
  if (film.memory < 0) film.memory = memfd_create("film", MFD_CLOEXEC);
  if (film.memory < 0 || ftruncate(film.memory, (off_t)buffers_most * buffer_bytes) != 0) complain("memory for buffers");
  bool is_taken = film.descriptor >= 0;
  int ends[2];
  if (!is_taken && pipe2(ends, O_NONBLOCK | O_CLOEXEC) != 0) complain("a pipe");
  if (!is_taken) film.descriptor = ends[0], film.teller = ends[1];
  int result = is_taken ? -1 : film.descriptor;
  pthread_mutex_unlock(&film.lock);
  if (is_taken) errno = EBUSY;
  return result;
}

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

#define OPEN(name)                                                 \
  int name(const char *path, int flags, ...) {                     \
    va_list rest;                                                  \
    va_start(rest, flags);                                         \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                  \
    return is_ours(path) ? open_film() : REAL(name)(path, flags, mode); \
  }
OPEN(open)
OPEN(open64)

int access(const char *path, int mode) { return is_ours(path) ? 0 : REAL(access)(path, mode); }

int close(int descriptor) {
  if (descriptor >= 0 && descriptor == film.descriptor) {
    pthread_mutex_lock(&film.lock);
    stream(false);
    REAL(close)(film.teller);
    film.descriptor = film.teller = -1;
    pthread_mutex_unlock(&film.lock);
  }
  return REAL(close)(descriptor);
}

int ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *);
  va_end(rest);
  if (descriptor < 0 || descriptor != film.descriptor) return REAL(ioctl)(descriptor, request, argument);
  pthread_mutex_lock(&film.lock);
  int error = answer(request, argument);
  pthread_mutex_unlock(&film.lock);
  errno = error ? error : errno;
  return error ? -1 : 0;
}

#define MAP(name)                                                                                  \
  void *name(void *at, size_t length, int protection, int flags, int descriptor, off_t offset) {   \
    bool is_film = descriptor >= 0 && descriptor == film.descriptor;                               \
    return REAL(name)(at, length, protection, flags, is_film ? film.memory : descriptor, offset);  \
  }
MAP(mmap)
MAP(mmap64)
