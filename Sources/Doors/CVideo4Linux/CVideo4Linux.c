#define _GNU_SOURCE
#include "CVideo4Linux.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/netlink.h>

// The kernel checks the size that each request number contains, so a wrong layout would be refused at run time; these
// assertions refuse it at compile time. Sizes are those of the 64-bit ABI (Linux Documentation/userspace-api/media/v4l).
#define HAS_SIZE(request, type) \
  _Static_assert(_IOC_SIZE(VIDIOC_##request) == sizeof(struct type), #request " takes a struct " #type)
HAS_SIZE(QUERYCAP, v4l2_capability);
HAS_SIZE(ENUM_FMT, v4l2_fmtdesc);
HAS_SIZE(ENUM_FRAMESIZES, v4l2_frmsizeenum);
HAS_SIZE(ENUM_FRAMEINTERVALS, v4l2_frmivalenum);
HAS_SIZE(S_FMT, v4l2_format);
HAS_SIZE(S_PARM, v4l2_streamparm);
HAS_SIZE(ENUMINPUT, v4l2_input);
HAS_SIZE(ENUM_DV_TIMINGS, v4l2_enum_dv_timings);
HAS_SIZE(S_DV_TIMINGS, v4l2_dv_timings);
HAS_SIZE(S_SELECTION, v4l2_selection);
HAS_SIZE(REQBUFS, v4l2_requestbuffers);
HAS_SIZE(DQBUF, v4l2_buffer);
HAS_SIZE(EXPBUF, v4l2_exportbuffer);
HAS_SIZE(QUERY_EXT_CTRL, v4l2_query_ext_ctrl);
HAS_SIZE(QUERYMENU, v4l2_querymenu);
HAS_SIZE(S_EXT_CTRLS, v4l2_ext_controls);
HAS_SIZE(SUBSCRIBE_EVENT, v4l2_event_subscription);
HAS_SIZE(DQEVENT, v4l2_event);

_Static_assert(VIDIOC_QUERYCAP == 0x80685600, "struct v4l2_capability is 104 bytes");
_Static_assert(sizeof(struct v4l2_ext_control) == 20, "struct v4l2_ext_control is packed");
_Static_assert(offsetof(struct v4l2_ext_control, value64) == 12, "struct v4l2_ext_control is packed");
_Static_assert(sizeof(struct v4l2_plane_pix_format) == 20, "struct v4l2_plane_pix_format is packed");
_Static_assert(sizeof(struct v4l2_pix_format_mplane) == 192, "struct v4l2_pix_format_mplane is packed");
_Static_assert(sizeof(struct v4l2_dv_timings) == 132, "struct v4l2_dv_timings is packed");
#if __LP64__
_Static_assert(VIDIOC_DQBUF == 0xc0585611, "struct v4l2_buffer is 88 bytes with 64-bit time stamps");
_Static_assert(sizeof(struct v4l2_format) == 208, "struct v4l2_format holds pointers");
_Static_assert(sizeof(struct v4l2_event) == 136, "struct v4l2_event has 64-bit time stamps");
_Static_assert(sizeof(struct v4l2_plane) == 64, "struct v4l2_plane holds a pointer");
#endif

int cv4l2_open(const char *path) {
  int descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  return descriptor < 0 ? -errno : descriptor;
}

int cv4l2_ioctl(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument) < 0 ? -errno : 0;
}

int cv4l2_poll(int first, short events, int second, int64_t timeout_ns, short *first_result, short *second_result) {
  struct pollfd set[2] = {{first, events, 0}, {second, POLLIN, 0}};
  struct timespec limit = {(time_t)(timeout_ns / 1000000000), (long)(timeout_ns % 1000000000)};
  if (ppoll(set, 2, timeout_ns < 0 ? NULL : &limit, NULL) < 0) return -errno;
  *first_result = set[0].revents;
  *second_result = set[1].revents;
  return 0;
}

const char *cv4l2_error_text(int number) { return strerrordesc_np(number); }
const char *cv4l2_error_symbol(int number) { return strerrorname_np(number); }

int cv4l2_uevent_socket(void) {
  int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  if (descriptor < 0) return -errno;
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
  if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
    int reason = errno;
    close(descriptor);
    return -reason;
  }
  return descriptor;
}

int64_t cv4l2_uevent_receive(int descriptor, void *buffer, size_t capacity, int *from_kernel) {
  struct sockaddr_nl sender = {0};
  socklen_t length = sizeof sender;
  ssize_t count = recvfrom(descriptor, buffer, capacity, MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&sender, &length);
  if (count < 0) return -errno;
  // Any process may send to a netlink socket; only the kernel has port 0.
  *from_kernel = length == sizeof sender && sender.nl_family == AF_NETLINK && sender.nl_pid == 0;
  return count;
}
