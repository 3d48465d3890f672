// lab-links SOCKET: maintains the stable names of video nodes, /dev/v4l/by-id and /dev/v4l/by-path, as udev's rules
// 60-persistent-v4l.rules do, in a guest without udev. SOCKET appears when the names of the existing nodes are in place.
#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "channel.h"
#include "common.h"

/// Replaces characters that udev does not allow in file names.
static void make_safe(char *text) {
  for (; *text; text++)
    if (!isalnum((unsigned char)*text) && !strchr("#+-.:=@_", *text)) *text = '_';
}

static bool attribute(const char *folder, const char *name, char *value, size_t size) {
  char path[PATH_MAX + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (!read_line(path, value, size)) return false;
  make_safe(value);
  return true;
}

/// If several nodes have one name, the link leads to the newest node, as with udev.
static void link_name(const char *kind, const char *name, const char *node, bool is_new) {
  char path[512], target[300];
  snprintf(path, sizeof path, "/dev/v4l/%s/%s", kind, name);
  snprintf(target, sizeof target, "../../%s", node);
  if (is_new) unlink(path);
  if (symlink(target, path) < 0 && (is_new || errno != EEXIST))
    fprintf(stderr, "lab-links: the name %s cannot be made: %s; use /dev/%s instead\n", path, strerror(errno), node);
}

/// Adds the names of a video node. Its device is, for USB, the interface "1-1:1.0" below the device with the serial number.
static void add_names(const char *node, bool is_new) {
  char path[PATH_MAX], device[PATH_MAX], index[16], name[600];
  snprintf(path, sizeof path, "/sys/class/video4linux/%s", node);
  if (!attribute(path, "index", index, sizeof index)) return;
  snprintf(path, sizeof path, "/sys/class/video4linux/%s/device", node);
  if (!realpath(path, device)) return;
  const char *last = strrchr(device, '/') + 1;
  const char *ports = strchr(last, '-');
  if (strstr(device, "/usb") && ports) {
    char vendor[128], model[128], serial[128];
    snprintf(path, sizeof path, "%.*s", (int)(last - device - 1), device);
    if (attribute(path, "manufacturer", vendor, sizeof vendor) && attribute(path, "product", model, sizeof model) &&
        attribute(path, "serial", serial, sizeof serial)) {
      snprintf(name, sizeof name, "usb-%s_%s_%s-video-index%s", vendor, model, serial, index);
      link_name("by-id", name, node, is_new);
    }
    char *platform = strstr(device, "/platform/");
    if (!platform) return;
    platform += strlen("/platform/");
    snprintf(name, sizeof name, "platform-%.*s-usb-0:%s-video-index%s", (int)strcspn(platform, "/"), platform, ports + 1, index);
  } else {
    snprintf(name, sizeof name, "platform-%s-video-index%s", last, index);
  }
  link_name("by-path", name, node, is_new);
}

static void remove_names(const char *node) {
  glob_t found;
  if (glob("/dev/v4l/by-*/*", 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    char target[256];
    ssize_t length = readlink(found.gl_pathv[i], target, sizeof target - 1);
    if (length < 0) continue;
    target[length] = 0;
    if (strcmp(strrchr(target, '/') ? strrchr(target, '/') + 1 : target, node) == 0) unlink(found.gl_pathv[i]);
  }
  globfree(&found);
}

/// Gives the names that a removed node shared with other nodes to those nodes.
static void pass_names_on(void) {
  glob_t found;
  if (glob("/sys/class/video4linux/video*", 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; i++) add_names(strrchr(found.gl_pathv[i], '/') + 1, false);
  globfree(&found);
}

/// Handles a kernel message: "ACTION@DEVPATH", and then KEY=VALUE strings, each ended by a zero byte.
static void handle_message(const char *message, const char *end) {
  const char *action = "", *subsystem = "", *node = "";
  for (const char *text = message; text < end; text += strlen(text) + 1) {
    if (strncmp(text, "ACTION=", 7) == 0) action = text + 7;
    if (strncmp(text, "SUBSYSTEM=", 10) == 0) subsystem = text + 10;
    if (strncmp(text, "DEVNAME=", 8) == 0) node = text + 8;
  }
  if (strcmp(subsystem, "video4linux") != 0 || !*node || strchr(node, '/')) return;
  if (strcmp(action, "add") == 0) add_names(node, true);
  if (strcmp(action, "remove") == 0) {
    remove_names(node);
    pass_names_on();
  }
}

int main(int count, char **arguments) {
  if (count != 2) fail("usage: lab-links SOCKET");
  int kernel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
  struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
  if (kernel < 0 || bind(kernel, (struct sockaddr *)&address, sizeof address) < 0)
    fail("the kernel's device messages cannot be received: %s; run this as root inside the lab", strerror(errno));
  mkdir("/dev/v4l", 0755);
  mkdir("/dev/v4l/by-id", 0755);
  mkdir("/dev/v4l/by-path", 0755);
  listen_at(arguments[1]);
  for (;;) {
    char message[8193];
    ssize_t length = recv(kernel, message, sizeof message - 1, 0);
    if (length <= 0) continue;
    message[length] = 0;
    handle_message(message, message + length);
  }
}
