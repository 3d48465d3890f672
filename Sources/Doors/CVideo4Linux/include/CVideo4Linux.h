// The C interface to V4L2: the parts of the Video4Linux headers that Swift cannot import itself.
// Numbers and layouts come from <linux/videodev2.h>; CVideo4Linux.c checks at compile time the layouts that Swift relies on.
#ifndef SWIFTWING_CVIDEO4LINUX_H
#define SWIFTWING_CVIDEO4LINUX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <linux/videodev2.h>

// Every function here returns its result, or the negated errno: the thread's errno is never read in Swift.

// MARK: Fixed-signature wrappers over variadic or awkward calls

/// Opens for reading and writing, non-blocking, closed on exec; returns the descriptor.
int cv4l2_open(const char *path);

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument);

/// Waits on one or two descriptors (`second` < 0: only the first); a negative timeout waits for ever.
/// Returns 0, or the negated errno; after a time-out both result masks are 0.
int cv4l2_poll(int first, short events, int second, int64_t timeout_ns, short *first_result, short *second_result);

/// The message and the symbol of an error number, in English; NULL if it is unknown.
const char *cv4l2_error_text(int number);
const char *cv4l2_error_symbol(int number);

/// Opens a socket that receives the kernel's own device events (netlink group 1).
int cv4l2_uevent_socket(void);

/// Receives one datagram without waiting; returns its full length (which may exceed `capacity`), or the negated errno.
/// `from_kernel` is 1 only if the kernel itself sent it.
int64_t cv4l2_uevent_receive(int descriptor, void *buffer, size_t capacity, int *from_kernel);

// MARK: Request numbers, which are computed macros

#define CV4L2_REQUEST(name) static const unsigned long CV4L2_##name = VIDIOC_##name;
CV4L2_REQUEST(QUERYCAP)
CV4L2_REQUEST(ENUM_FMT)
CV4L2_REQUEST(ENUM_FRAMESIZES)
CV4L2_REQUEST(ENUM_FRAMEINTERVALS)
CV4L2_REQUEST(G_FMT)
CV4L2_REQUEST(S_FMT)
CV4L2_REQUEST(TRY_FMT)
CV4L2_REQUEST(G_PARM)
CV4L2_REQUEST(S_PARM)
CV4L2_REQUEST(ENUMINPUT)
CV4L2_REQUEST(G_INPUT)
CV4L2_REQUEST(S_INPUT)
CV4L2_REQUEST(ENUM_DV_TIMINGS)
CV4L2_REQUEST(QUERY_DV_TIMINGS)
CV4L2_REQUEST(G_DV_TIMINGS)
CV4L2_REQUEST(S_DV_TIMINGS)
CV4L2_REQUEST(G_SELECTION)
CV4L2_REQUEST(S_SELECTION)
CV4L2_REQUEST(REQBUFS)
CV4L2_REQUEST(QUERYBUF)
CV4L2_REQUEST(QBUF)
CV4L2_REQUEST(DQBUF)
CV4L2_REQUEST(EXPBUF)
CV4L2_REQUEST(STREAMON)
CV4L2_REQUEST(STREAMOFF)
CV4L2_REQUEST(QUERY_EXT_CTRL)
CV4L2_REQUEST(QUERYMENU)
CV4L2_REQUEST(G_EXT_CTRLS)
CV4L2_REQUEST(S_EXT_CTRLS)
CV4L2_REQUEST(SUBSCRIBE_EVENT)
CV4L2_REQUEST(UNSUBSCRIBE_EVENT)
CV4L2_REQUEST(DQEVENT)
#undef CV4L2_REQUEST

// MARK: Numbers of kernels that may be newer than the installed headers (Linux 6.15, videodev2.h)

static const uint32_t CV4L2_CTRL_TYPE_RECT = 0x0107;
static const uint32_t CV4L2_CTRL_WHICH_MIN_VAL = 0x0f020000;
static const uint32_t CV4L2_CTRL_WHICH_MAX_VAL = 0x0f030000;

// MARK: Default colorimetry: the header's own macros

static inline uint32_t cv4l2_default_colorspace(int is_sdtv, int is_hdtv) {
  return V4L2_MAP_COLORSPACE_DEFAULT(is_sdtv, is_hdtv);
}
static inline uint32_t cv4l2_default_transfer(uint32_t colorspace) {
  return V4L2_MAP_XFER_FUNC_DEFAULT(colorspace);
}
static inline uint32_t cv4l2_default_encoding(uint32_t colorspace) {
  return V4L2_MAP_YCBCR_ENC_DEFAULT(colorspace);
}
static inline uint32_t cv4l2_default_quantization(int is_rgb_or_hsv, uint32_t colorspace) {
  return V4L2_MAP_QUANTIZATION_DEFAULT(is_rgb_or_hsv, colorspace, 0);
}

// MARK: Packed structures, whose fields may be misaligned: read and written in C

static inline void cv4l2_control_set_integer(struct v4l2_ext_control *control, uint32_t id, int32_t value) {
  memset(control, 0, sizeof *control);
  control->id = id;
  control->value = value;
}
static inline void cv4l2_control_set_integer64(struct v4l2_ext_control *control, uint32_t id, int64_t value) {
  memset(control, 0, sizeof *control);
  control->id = id;
  control->value64 = value;
}
static inline void cv4l2_control_set_string(struct v4l2_ext_control *control, uint32_t id, char *text, uint32_t size) {
  memset(control, 0, sizeof *control);
  control->id = id;
  control->size = size;
  control->string = text;
}
static inline void cv4l2_control_set_pointer(struct v4l2_ext_control *control, uint32_t id, void *value, uint32_t size) {
  memset(control, 0, sizeof *control);
  control->id = id;
  control->size = size;
  control->ptr = value;
}
static inline int32_t cv4l2_control_integer(const struct v4l2_ext_control *control) { return control->value; }
static inline int64_t cv4l2_control_integer64(const struct v4l2_ext_control *control) { return control->value64; }

static inline int64_t cv4l2_menu_value(const struct v4l2_querymenu *item) { return item->value; }

static inline struct v4l2_bt_timings cv4l2_bt_timings(const struct v4l2_dv_timings *timings) { return timings->bt; }
static inline uint64_t cv4l2_pixel_clock(const struct v4l2_dv_timings *timings) { return timings->bt.pixelclock; }

#endif
