// lab-capture [OPTION]… NODE: a minimal V4L2 capture client. The lab's tests use it, and so depend on no other program.
//   --frames N  --buffers N  --format FOURCC  --size WxH  --rate FPS  --wait MS  --save FILE  --verbose  --signal
// With --verbose, prints a line for each frame: the sequence number, time stamp, bytes, the number drawn in the frame, "error" if
// the frame has that flag, and "start" if it is stamped at the start of exposure. With --signal, prints only whether an HDMI camera
// has a signal (present, or an errno).
// Then prints one line: frames, errors, gaps (missing sequence numbers), jumps (drawn numbers that are missing), first
// (milliseconds from the program's start to the first frame), fps, and end (done, timeout, or the errno of DQBUF).
// The exit status is 0 if all frames came, 3 if the program stopped early, and 1 if the device did not stream (one sentence gives
// the reason).
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <linux/videodev2.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"

enum { most_buffers = 32, block = 16, film_cycle = 64 };  // lab-film's test picture has 64 frames, numbered from 0

struct options {
  const char *node, *format, *save;
  unsigned frames, buffers, width, height, rate;
  int wait;
  bool verbose, signal;
};

struct client {
  int node;
  enum v4l2_buf_type type;
  uint32_t fourcc, width, height, stride;
  unsigned buffer_count;
  struct { void *data; size_t length; } buffers[most_buffers];
};

struct tally {
  unsigned frames, errors, gaps, jumps;
  long last_sequence, last_number;
  double first, last;
  const char *end;
};

static bool multiplanar(const struct client *client) { return client->type == V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE; }

static void request(const struct client *client, unsigned long number, void *argument, const char *name) {
  if (ioctl(client->node, number, argument) < 0)
    fail("%s: %s is refused: %s; name a camera's node, and a format that it offers", path_of(client->node), name, strerrorname_np(errno));
}
#define REQUEST(client, number, argument) request(client, number, argument, #number)

static struct options read_options(int count, char **arguments) {
  static const struct option names[] = {
      {"frames", required_argument, NULL, 'n'}, {"buffers", required_argument, NULL, 'b'}, {"format", required_argument, NULL, 'f'},
      {"size", required_argument, NULL, 's'},   {"rate", required_argument, NULL, 'r'},    {"wait", required_argument, NULL, 'w'},
      {"save", required_argument, NULL, 'o'},   {"verbose", no_argument, NULL, 'v'},
      {"signal", no_argument, NULL, 'i'},       {NULL, 0, NULL, 0},
  };
  struct options options = {.frames = 10, .buffers = 4, .wait = 2000};
  for (int option; (option = getopt_long(count, arguments, "", names, NULL)) != -1;) {
    switch (option) {
      case 'n': options.frames = (unsigned)atoi(optarg); break;
      case 'b': options.buffers = (unsigned)atoi(optarg); break;
      case 'f': options.format = optarg; break;
      case 's':
        if (sscanf(optarg, "%ux%u", &options.width, &options.height) != 2) fail("--size is written like 1280x720, not '%s'", optarg);
        break;
      case 'r': options.rate = (unsigned)atoi(optarg); break;
      case 'w': options.wait = atoi(optarg); break;
      case 'o': options.save = optarg; break;
      case 'v': options.verbose = true; break;
      case 'i': options.signal = true; break;
      default: exit(2);
    }
  }
  if (optind + 1 != count || (options.format && strlen(options.format) != 4) || options.buffers > most_buffers)
    fail("usage: lab-capture [OPTION]… NODE");
  options.node = arguments[optind];
  return options;
}

static struct client open_client(const struct options *options) {
  struct client client = {.node = open(options->node, O_RDWR | O_NONBLOCK | O_CLOEXEC)};
  struct v4l2_capability capability = {0};
  if (client.node < 0)
    fail("%s cannot be opened: %s; name a camera's node, as lab-ctl list shows it inside the lab",
         options->node, strerrorname_np(errno));
  REQUEST(&client, VIDIOC_QUERYCAP, &capability);
  client.type = capability.device_caps & V4L2_CAP_VIDEO_CAPTURE_MPLANE ? V4L2_BUF_TYPE_VIDEO_CAPTURE_MPLANE : V4L2_BUF_TYPE_VIDEO_CAPTURE;
  return client;
}

static void set_format(struct client *client, const struct options *options) {
  struct v4l2_format format = {.type = client->type};
  REQUEST(client, VIDIOC_G_FMT, &format);
  if (options->width) {
    format.fmt.pix.width = options->width;  // width, height and pixel format come first in both structures
    format.fmt.pix.height = options->height;
  }
  if (options->format)
    format.fmt.pix.pixelformat = v4l2_fourcc(options->format[0], options->format[1], options->format[2], options->format[3]);
  if (options->width || options->format) {
    if (!multiplanar(client)) format.fmt.pix.bytesperline = 0;
    REQUEST(client, VIDIOC_S_FMT, &format);
  }
  client->fourcc = format.fmt.pix.pixelformat;
  client->width = format.fmt.pix.width;
  client->height = format.fmt.pix.height;
  client->stride = multiplanar(client) ? format.fmt.pix_mp.plane_fmt[0].bytesperline : format.fmt.pix.bytesperline;
  if (!options->rate) return;
  struct v4l2_streamparm rate = {.type = client->type};
  rate.parm.capture.timeperframe = (struct v4l2_fract){1, options->rate};
  REQUEST(client, VIDIOC_S_PARM, &rate);
}

/// Makes a buffer structure for an ioctl; the caller provides the planes.
static struct v4l2_buffer buffer_of(const struct client *client, struct v4l2_plane *planes, unsigned index) {
  struct v4l2_buffer buffer = {.type = client->type, .memory = V4L2_MEMORY_MMAP, .index = index};
  if (multiplanar(client)) {
    memset(planes, 0, VIDEO_MAX_PLANES * sizeof *planes);
    buffer.m.planes = planes;
    buffer.length = VIDEO_MAX_PLANES;
  }
  return buffer;
}

static void start(struct client *client, unsigned count) {
  struct v4l2_requestbuffers buffers = {.count = count, .type = client->type, .memory = V4L2_MEMORY_MMAP};
  REQUEST(client, VIDIOC_REQBUFS, &buffers);
  client->buffer_count = buffers.count < most_buffers ? buffers.count : most_buffers;
  for (unsigned i = 0; i < client->buffer_count; i++) {
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
    struct v4l2_buffer buffer = buffer_of(client, planes, i);
    REQUEST(client, VIDIOC_QUERYBUF, &buffer);
    size_t length = multiplanar(client) ? planes[0].length : buffer.length;
    off_t offset = multiplanar(client) ? planes[0].m.mem_offset : buffer.m.offset;
    client->buffers[i].data = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_SHARED, client->node, offset);
    client->buffers[i].length = length;
    if (client->buffers[i].data == MAP_FAILED)
      fail("a buffer of %s cannot be mapped: %s; ask for fewer --buffers, or give lab/run more --memory",
           path_of(client->node), strerrorname_np(errno));
    REQUEST(client, VIDIOC_QBUF, &buffer);
  }
  int type = (int)client->type;
  REQUEST(client, VIDIOC_STREAMON, &type);
}

/// The number that lab-film has drawn into a YUYV frame; −1 if none can be read.
static long drawn_number(const struct client *client, const uint8_t *data, size_t length) {
  if (client->fourcc != V4L2_PIX_FMT_YUYV || client->width < 32 * block || length < (size_t)client->stride * block) return -1;
  uint32_t number = 0;
  for (int bit = 0; bit < 32; bit++) {
    uint8_t luma = data[(size_t)client->stride * (block / 2) + (size_t)(bit * block + block / 2) * 2];
    if (luma > 50 && luma < 200) return -1;
    number |= (uint32_t)(luma >= 200) << bit;
  }
  return number;
}

static void count_frame(const struct client *client, const struct v4l2_buffer *buffer, size_t length, const struct options *options,
                        struct tally *tally) {
  bool broken = buffer->flags & V4L2_BUF_FLAG_ERROR;
  long sequence = buffer->sequence, number = broken ? -1 : drawn_number(client, client->buffers[buffer->index].data, length);
  if (tally->frames > 0 && sequence > tally->last_sequence + 1) tally->gaps += (unsigned)(sequence - tally->last_sequence - 1);
  if (number >= 0 && tally->last_number >= 0) tally->jumps += (unsigned)(number - tally->last_number - 1 + film_cycle) % film_cycle;
  if (tally->frames++ == 0) tally->first = now();
  tally->last = now();
  tally->errors += broken;
  tally->last_sequence = sequence;
  if (number >= 0) tally->last_number = number;
  if (!options->verbose) return;
  printf("%u %ld.%06ld %zu %ld%s%s\n", buffer->sequence, (long)buffer->timestamp.tv_sec, (long)buffer->timestamp.tv_usec, length, number,
         broken ? " error" : "", buffer->flags & V4L2_BUF_FLAG_TSTAMP_SRC_SOE ? " start" : "");
  fflush(stdout);
}

static struct tally capture(struct client *client, const struct options *options, FILE *save) {
  struct tally tally = {.last_number = -1, .end = "done"};
  while (tally.frames < options->frames) {
    struct pollfd ready = {client->node, POLLIN, 0};
    if (poll(&ready, 1, options->wait) == 0) {
      tally.end = "timeout";
      break;
    }
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
    struct v4l2_buffer buffer = buffer_of(client, planes, 0);
    if (ioctl(client->node, VIDIOC_DQBUF, &buffer) < 0) {
      if (errno == EAGAIN) continue;
      tally.end = strerrorname_np(errno);
      break;
    }
    size_t length = multiplanar(client) ? planes[0].bytesused : buffer.bytesused;
    count_frame(client, &buffer, length, options, &tally);
    if (save && fwrite(client->buffers[buffer.index].data, 1, length, save) != length)
      fail("%s cannot be written: %s; free space, or name another path for --save", options->save, strerror(errno));
    if (ioctl(client->node, VIDIOC_QBUF, &buffer) < 0) {
      tally.end = strerrorname_np(errno);
      break;
    }
  }
  return tally;
}

int main(int count, char **arguments) {
  double started = now();
  struct options options = read_options(count, arguments);
  FILE *save = options.save ? fopen(options.save, "we") : NULL;
  if (options.save && !save) fail("%s cannot be written: %s; name another path for --save", options.save, strerror(errno));
  struct client client = open_client(&options);
  if (options.signal) {
    struct v4l2_dv_timings timings = {0};
    puts(ioctl(client.node, VIDIOC_QUERY_DV_TIMINGS, &timings) == 0 ? "present" : strerrorname_np(errno));
    return 0;
  }
  set_format(&client, &options);
  start(&client, options.buffers);
  struct tally tally = capture(&client, &options, save);
  if (save && fclose(save) != 0)
    fail("%s cannot be written: %s; free space, or name another path for --save", options.save, strerror(errno));
  printf("%.4s %ux%u frames=%u errors=%u gaps=%u jumps=%u first=%.0f fps=%.2f end=%s\n", (char *)&client.fourcc, client.width,
         client.height, tally.frames, tally.errors, tally.gaps, tally.jumps, tally.frames ? (tally.first - started) * 1e3 : -1,
         tally.frames > 1 ? (tally.frames - 1) / (tally.last - tally.first) : 0, tally.end);
  return tally.frames == options.frames ? 0 : 3;
}
