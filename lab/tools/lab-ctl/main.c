// lab-ctl: unplugs, disturbs and operates the devices of a running lab, by command of a program inside it.
//   lab-ctl list                 name, kind, node and serial of each device
//   lab-ctl NAME node            the present node of the device
//   lab-ctl NAME COMMAND [WORD]… a fault; the commands are in lab/README.md
// Each command ends when it has taken effect. It prints one line: the device, the command, and the time (CLOCK_MONOTONIC, seconds)
// at which it took effect. The exit status is 0 if the command was carried out, and 1 if it was refused (one sentence on standard
// error gives the reason).
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>

#include "channel.h"
#include "common.h"
#include "device.h"
#include "vivid.h"

static const char socket_folder[] = "/run/lab";

/// Sends the words to the device's own server and waits for its answer; returns the time in the answer.
static double ask_server(const struct device *device, int count, char **words) {
  char path[128], line[256] = "", answer[256];
  snprintf(path, sizeof path, "%s/%s.socket", socket_folder, device->name);
  for (int i = 0; i < count; i++) {
    size_t used = strlen(line);
    if (used + strlen(words[i]) + 2 > sizeof line) fail("the command to %s has more than 254 bytes; shorten it", device->name);
    snprintf(line + used, sizeof line - used, "%s%s", i ? " " : "", words[i]);
  }
  if (!ask(path, line, answer, sizeof answer))
    fail("%s did not answer to '%s' in ten seconds; start the lab again if it stays silent", device->name, line);
  double time;
  if (sscanf(answer, "ok %lf", &time) != 1) fail("%s: %s", device->name, answer);
  return time;
}

/// Commands to devices with a server of their own. `unplug` and `replug` have taken effect when the node has gone or come.
static double command_server(const struct device *device, int count, char **words) {
  bool unplug = strcmp(words[0], "unplug") == 0, replug = strcmp(words[0], "replug") == 0;
  double time = ask_server(device, count, words);
  if ((unplug || replug) && !wait_for_node(device, replug))
    fail("the node of %s did not %s in ten seconds; try again, or start the lab again", device->name, replug ? "return" : "go");
  return time;
}

/// Forbids every program to open the node, also programs of root (file modes do not restrict root). A program that has the node open keeps it.
static void forbid(const struct device *device, bool forbidden) {
  char node[value_size];
  if (!current_node(device, node)) fail("%s is not plugged in; plug it in with lab-ctl %s replug", device->name, device->name);
  int status;
  if (!forbidden) {
    status = umount2(node, MNT_DETACH);
    if (status < 0 && errno == EINVAL) status = 0;  // it was not forbidden
  } else {
    status = mount(node, node, NULL, MS_BIND, NULL);
    if (status == 0) status = mount(NULL, node, NULL, MS_BIND | MS_REMOUNT | MS_NODEV, NULL);
  }
  if (status < 0)
    fail("%s of %s cannot be %s: %s; run this as root inside the lab",
         node, device->name, forbidden ? "forbidden" : "permitted", strerror(errno));
}

int main(int count, char **words) {
  if (count == 2 && strcmp(words[1], "list") == 0) {
    list_devices();
    return 0;
  }
  if (count < 3) fail("usage: lab-ctl list | lab-ctl NAME node | lab-ctl NAME COMMAND [WORD]…");
  struct device device;
  char node[value_size];
  if (!find_device(words[1], &device))
    fail("this lab has no device '%s'; run lab-ctl list inside the lab to see its devices", words[1]);
  words += 2, count -= 2;

  if (strcmp(words[0], "node") == 0) {
    if (!current_node(&device, node)) fail("%s is not plugged in; plug it in with lab-ctl %s replug", device.name, device.name);
    puts(node);
    return 0;
  }
  double time = now();
  if (strcmp(words[0], "wait") == 0) {
    if (!wait_for_node(&device, true))
      fail("%s did not appear in ten seconds; plug it in with lab-ctl %s replug", device.name, device.name);
  } else if (strcmp(words[0], "forbid") == 0 || strcmp(words[0], "permit") == 0) {
    forbid(&device, words[0][0] == 'f');
  } else if (strcmp(device.kind, "vivid") == 0) {
    command_vivid(&device, count, words);
  } else {
    time = command_server(&device, count, words);
  }
  printf("%s", device.name);
  for (int i = 0; i < count; i++) printf(" %s", words[i]);
  printf(" at %.6f\n", time);
  return 0;
}
