// A film: one file with the frames that a USB camera plays, for each format and size that it offers. The file is mapped instead of
// read. lab-film writes it on the host, and uvc-camera reads it in the guest. Both have the same machine type, so numbers are
// native.
#pragma once
#include <stdint.h>

enum { film_streams = 8, film_intervals = 3 };

struct film_frame {
  uint64_t offset, length;  // bytes, from the beginning of the file
};

struct film_stream {
  char fourcc[4];  // "MJPG" or "YUYV"
  uint32_t width, height;
  uint32_t interval_count;
  uint32_t intervals[film_intervals];  // frame intervals in units of 100 ns, shortest first
  uint32_t frame_count;
  uint32_t largest;  // bytes of the largest frame
  uint32_t reserved;
  uint64_t index;  // where the film_frame of its first frame is
};

struct film_header {
  char magic[8] __attribute__((nonstring));  // film_magic without its terminating zero
  uint32_t stream_count, reserved;
  struct film_stream streams[film_streams];
};

#define film_magic "LABFILM1"
