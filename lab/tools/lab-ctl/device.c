#include "device.h"

#include <dirent.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common.h"

static const char folder[] = "/run/lab/devices";

static char *place_of(struct device *device, const char *fact) {
  const struct { const char *key; char *place; } places[] = {
      {"kind", device->kind},       {"node", device->node}, {"output", device->output}, {"input", device->input},
      {"timings", device->timings}, {"size", device->size}, {"serial", device->serial},
  };
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (strcmp(places[i].key, fact) == 0) return places[i].place;
  return NULL;
}

bool find_device(const char *name, struct device *device) {
  char path[sizeof folder + sizeof device->name], line[2 * value_size];
  memset(device, 0, sizeof *device);
  if (strchr(name, '/') || strlen(name) >= sizeof device->name) return false;
  strcpy(device->name, name);
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    char *value = strchr(line, '=');
    if (!value) continue;
    *value++ = 0;
    char *place = place_of(device, line);
    if (place) snprintf(place, value_size, "%.*s", value_size - 1, value);
  }
  fclose(file);
  return true;
}

/// Finds the first sysfs folder that matches the pattern and whose attribute has the wanted value. Stores the folder's last
/// component in name.
static bool find_attribute(const char *pattern, const char *attribute, const char *wanted, char *name, size_t size) {
  glob_t found;
  bool success = false;
  if (glob(pattern, 0, NULL, &found) != 0) return false;
  for (size_t i = 0; i < found.gl_pathc && !success; i++) {
    char path[512], value[value_size];
    snprintf(path, sizeof path, "%s/%s", found.gl_pathv[i], attribute);
    if (!read_line(path, value, sizeof value) || strcmp(value, wanted) != 0) continue;
    snprintf(path, sizeof path, "%s/index", found.gl_pathv[i]);
    if (read_line(path, value, sizeof value) && strcmp(value, "0") != 0) continue;  // a metadata node
    snprintf(name, size, "%s", strrchr(found.gl_pathv[i], '/') + 1);
    success = true;
  }
  globfree(&found);
  return success;
}

bool current_node(const struct device *device, char node[value_size]) {
  char name[64];
  if (strcmp(device->kind, "uvc") == 0) {
    // video4linux/videoN/device is the USB interface; the port is that of its parent. The camera's own file names the port.
    char path[sizeof folder + value_size], port[value_size];
    snprintf(path, sizeof path, "/run/lab/%s.port", device->name);
    if (!read_line(path, port, sizeof port)) return false;
    if (!find_attribute("/sys/class/video4linux/video*", "device/../devpath", port, name, sizeof name)) return false;
  } else if (strcmp(device->kind, "accelerometer") == 0) {
    if (!find_attribute("/sys/bus/iio/devices/iio:device*", "name", "accel_3d", name, sizeof name)) return false;
  } else if (strcmp(device->kind, "buttons") == 0) {
    if (!find_attribute("/sys/class/input/event*", "device/name", "SwiftWing Lab Buttons", name, sizeof name)) return false;
    snprintf(node, value_size, "/dev/input/%s", name);
    return access(node, F_OK) == 0;
  } else {
    snprintf(node, value_size, "%s", device->node);
    return access(node, F_OK) == 0;
  }
  snprintf(node, value_size, "/dev/%s", name);
  return access(node, F_OK) == 0;
}

/// Whether a link under /dev/v4l/by-path leads to the node. It is made last, and twins do not share it.
static bool has_stable_name(const char *node) {
  glob_t found;
  bool success = false;
  if (glob("/dev/v4l/by-path/*", 0, NULL, &found) != 0) return false;
  for (size_t i = 0; i < found.gl_pathc && !success; i++) {
    char *target = realpath(found.gl_pathv[i], NULL);
    success = target && strcmp(target, node) == 0;
    free(target);
  }
  globfree(&found);
  return success;
}

bool wait_for_node(const struct device *device, bool present) {
  bool usb = strcmp(device->kind, "uvc") == 0;
  double limit = now() + 10;
  do {
    char node[value_size];
    bool there = current_node(device, node);
    if (there == present && (!there || !usb || has_stable_name(node))) return true;
    usleep(5000);
  } while (now() < limit);
  return false;
}

void for_each_device(const char *kind, void (*call)(const struct device *)) {
  struct dirent **names;
  int count = scandir(folder, &names, NULL, alphasort);
  for (int i = 0; i < count; i++) {
    struct device device;
    bool hidden = names[i]->d_name[0] == '.';
    if (!hidden && find_device(names[i]->d_name, &device) && (!kind || strcmp(kind, device.kind) == 0)) call(&device);
    free(names[i]);
  }
  if (count >= 0) free(names);
}

static void print_device(const struct device *device) {
  char node[value_size];
  printf("%s %s %s %s\n", device->name, device->kind, current_node(device, node) ? node : "-", device->serial[0] ? device->serial : "-");
}

void list_devices(void) { for_each_device(NULL, print_device); }
