// lab-loop OUTPUT CAPTURE FRAMES [each DELAY]: measures the latency of a loop by a client that does nothing else. A loop is a pair
// of nodes of the driver vivid: the pictures that a program writes to the output node come back at the capture node, through the
// kernel. The program writes numbered YUYV frames to the output node, and reads them back, at the size to which both nodes are set.
// Prints one line:
// - frames: the number of frames read
// - foreign: frames without a number that this program wrote, such as vivid's own picture before the loop closes
// - repeated: frames with the number of the frame before them
// - skipped: numbers that never came back
// - changed: frames that differ in any byte from the written one. Only every sixteenth number is compared, to save time
// - fps, and the latency from queueing a frame to dequeueing it, in milliseconds: least, median, 99th percentile, most
// With "each", first prints the latency of every frame in the order read, one per line. The capture node is started DELAY
// milliseconds after the output node. The two nodes keep this distance in time, and the latency contains it.
// The exit status is 0, or 1 if the loop does not run.
#include <errno.h>
#include <fcntl.h>
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

enum { buffers = 2, block = 16, bits = 32, most_frames = 100000 };

struct queue {
  const char *path;
  int node;
  enum v4l2_buf_type type;
  unsigned width, height;
  size_t size;
  uint8_t *frames[buffers];
};

struct tally {
  unsigned read, foreign, repeated, skipped, changed, latencies;
  uint32_t last;
  double first_time, last_time;
};

static double queued_at[most_frames + buffers + 1], latency[most_frames];

static void request(const struct queue *queue, unsigned long number, void *argument, const char *name) {
  if (ioctl(queue->node, number, argument) < 0)
    fail("%s: %s is refused: %s; name the output node and the capture node of a camera vivid-loop",
         queue->path, name, strerrorname_np(errno));
}
#define REQUEST(queue, number, argument) request(queue, number, argument, #number)

static struct queue open_queue(const char *node, enum v4l2_buf_type type) {
  struct queue queue = {.path = node, .node = open(node, O_RDWR | O_NONBLOCK | O_CLOEXEC), .type = type};
  struct v4l2_format format = {.type = type};
  struct v4l2_requestbuffers wanted = {.count = buffers, .type = type, .memory = V4L2_MEMORY_MMAP};
  if (queue.node < 0)
    fail("%s cannot be opened: %s; inside the lab, name the output node and the capture node of a camera vivid-loop",
         node, strerror(errno));
  REQUEST(&queue, VIDIOC_G_FMT, &format);
  format.fmt.pix.pixelformat = V4L2_PIX_FMT_YUYV;
  format.fmt.pix.bytesperline = 0;
  REQUEST(&queue, VIDIOC_S_FMT, &format);
  queue.width = format.fmt.pix.width;
  queue.height = format.fmt.pix.height;
  queue.size = (size_t)queue.width * queue.height * 2;
  REQUEST(&queue, VIDIOC_REQBUFS, &wanted);
  if (wanted.count != buffers || format.fmt.pix.sizeimage != queue.size)
    fail("%s does not take two buffers of plain YUYV; name the output node and the capture node of a camera vivid-loop", node);
  for (unsigned i = 0; i < buffers; i++) {
    struct v4l2_buffer buffer = {.type = type, .memory = V4L2_MEMORY_MMAP, .index = i};
    REQUEST(&queue, VIDIOC_QUERYBUF, &buffer);
    queue.frames[i] = mmap(NULL, queue.size, PROT_READ | PROT_WRITE, MAP_SHARED, queue.node, buffer.m.offset);
    if (queue.frames[i] == MAP_FAILED)
      fail("a buffer of %s cannot be mapped: %s; give lab/run more --memory", node, strerror(errno));
  }
  return queue;
}

static void draw(const struct queue *queue, uint8_t *frame, uint32_t number) {
  for (int y = 0; y < block; y++)
    for (int x = 0; x < bits * block; x++) frame[((size_t)y * queue->width + (size_t)x) * 2] = number >> (x / block) & 1 ? 235 : 16;
}

static bool read_number(const struct queue *queue, const uint8_t *frame, uint32_t *number) {
  *number = 0;
  for (int bit = 0; bit < bits; bit++) {
    uint8_t luma = frame[((size_t)(block / 2) * queue->width + (size_t)(bit * block + block / 2)) * 2];
    if (luma > 50 && luma < 200) return false;
    *number |= (uint32_t)(luma >= 200) << bit;
  }
  return true;
}

static void write_frame(const struct queue *output, unsigned index, uint32_t number) {
  struct v4l2_buffer buffer = {.type = output->type, .memory = V4L2_MEMORY_MMAP, .index = index, .field = V4L2_FIELD_NONE, .bytesused = (uint32_t)output->size};
  draw(output, output->frames[index], number);
  queued_at[number] = now();
  REQUEST(output, VIDIOC_QBUF, &buffer);
}

/// Whether a frame differs from the frame that was written: a grey one with the blocks of its number.
static bool is_changed(const struct queue *capture, const uint8_t *frame, uint32_t number) {
  static uint8_t *wanted;
  if (!wanted && !(wanted = malloc(capture->size)))
    fail("there is no memory for a frame of %ux%u; give lab/run more --memory", capture->width, capture->height);
  memset(wanted, 128, capture->size);
  draw(capture, wanted, number);
  return memcmp(wanted, frame, capture->size) != 0;
}

static void count_frame(const struct queue *capture, const uint8_t *frame, uint32_t written, struct tally *tally) {
  uint32_t number;
  double time = now();
  if (tally->read++ == 0) tally->first_time = time;
  tally->last_time = time;
  if (!read_number(capture, frame, &number) || number == 0 || number >= written) {
    tally->foreign++;
    return;
  }
  if (number == tally->last) {
    tally->repeated++;
    return;
  }
  latency[tally->latencies++] = time - queued_at[number];
  if (tally->last && number > tally->last + 1) tally->skipped += number - tally->last - 1;
  tally->last = number;
  if (number % 16 == 0) tally->changed += is_changed(capture, frame, number);  // every sixteenth: comparing costs time too
}

static void start(const struct queue *output, const struct queue *capture, unsigned delay) {
  for (unsigned i = 0; i < buffers; i++) {
    memset(output->frames[i], 128, output->size);
    write_frame(output, i, i + 1);
    struct v4l2_buffer buffer = {.type = capture->type, .memory = V4L2_MEMORY_MMAP, .index = i};
    REQUEST(capture, VIDIOC_QBUF, &buffer);
  }
  REQUEST(output, VIDIOC_STREAMON, (int[]){(int)output->type});
  poll(NULL, 0, (int)delay);
  REQUEST(capture, VIDIOC_STREAMON, (int[]){(int)capture->type});
}

static struct tally run(const struct queue *output, const struct queue *capture, unsigned frames) {
  struct tally tally = {0};
  uint32_t next = buffers + 1;
  while (tally.read < frames && next < most_frames) {
    struct pollfd ready[2] = {{output->node, POLLOUT, 0}, {capture->node, POLLIN, 0}};
    if (poll(ready, 2, 2000) == 0)
      fail("nothing came from %s to %s for two seconds, after %u frames; name both nodes of one camera vivid-loop",
           output->path, capture->path, tally.read);
    struct v4l2_buffer buffer = {.type = capture->type, .memory = V4L2_MEMORY_MMAP};
    if (ready[1].revents && ioctl(capture->node, VIDIOC_DQBUF, &buffer) == 0) {
      count_frame(capture, capture->frames[buffer.index], next, &tally);
      REQUEST(capture, VIDIOC_QBUF, &buffer);
    }
    buffer = (struct v4l2_buffer){.type = output->type, .memory = V4L2_MEMORY_MMAP};
    if (ready[0].revents && ioctl(output->node, VIDIOC_DQBUF, &buffer) == 0) write_frame(output, buffer.index, next++);
  }
  return tally;
}

static int compare(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

/// Returns a nearest-rank percentile of the sorted latencies, in milliseconds.
static double percentile(unsigned count, double part) { return count ? latency[(unsigned)(part * (count - 1) + 0.5)] * 1e3 : 0; }

int main(int count, char **arguments) {
  bool each = count == 6 && strcmp(arguments[4], "each") == 0;
  unsigned frames = count == 4 || each ? (unsigned)atoi(arguments[3]) : 0;
  if (frames < 2 || frames > most_frames / 2) fail("usage: lab-loop OUTPUT CAPTURE FRAMES [each DELAY]");
  struct queue output = open_queue(arguments[1], V4L2_BUF_TYPE_VIDEO_OUTPUT);
  struct queue capture = open_queue(arguments[2], V4L2_BUF_TYPE_VIDEO_CAPTURE);
  if (output.width != capture.width || output.height != capture.height || output.width < bits * block)
    fail("%s is set to %ux%u and %s to %ux%u; set both to one size, at least %d pixels wide: lab-ctl NAME setup does that",
         arguments[1], output.width, output.height, arguments[2], capture.width, capture.height, bits * block);
  start(&output, &capture, each ? (unsigned)atoi(arguments[5]) : 0);
  struct tally tally = run(&output, &capture, frames);
  if (each)
    for (unsigned i = 0; i < tally.latencies; i++) printf("%.3f\n", latency[i] * 1e3);
  qsort(latency, tally.latencies, sizeof *latency, compare);
  printf("%ux%u frames=%u foreign=%u repeated=%u skipped=%u changed=%u fps=%.2f latency min=%.1f p50=%.1f p99=%.1f max=%.1f\n",
         capture.width, capture.height, tally.read, tally.foreign, tally.repeated, tally.skipped, tally.changed,
         (tally.read - 1) / (tally.last_time - tally.first_time), percentile(tally.latencies, 0), percentile(tally.latencies, 0.5),
         percentile(tally.latencies, 0.99), percentile(tally.latencies, 1));
  return 0;
}
