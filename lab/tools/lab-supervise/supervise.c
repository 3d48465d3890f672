// lab-supervise COMMAND…: runs the lab's command in a session of its own, and exits with its status
// (128 + signal when a signal ended it, 127 when there is no such command, 126 when it cannot be started).
// Descriptors on entry: 7 lines from the host (INT, TERM), 8 the command's standard output, 9 its standard error.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common.h"

enum { control = 7, output = 8, errors = 9 };

static void child_ended(int signal) { (void)signal; }

static void start(char **command, const sigset_t *signals) {
  setsid();
  signal(SIGCHLD, SIG_DFL);
  signal(SIGINT, SIG_DFL);
  signal(SIGQUIT, SIG_DFL);
  sigprocmask(SIG_SETMASK, signals, NULL);
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(errors, STDERR_FILENO);
  for (int descriptor = 3; descriptor <= errors; descriptor++) close(descriptor);
  execvp(command[0], command);
  int reason = errno;
  dprintf(STDERR_FILENO, "lab-supervise: %s cannot be started in the lab: %s; check its name and path\n", command[0], strerror(reason));
  _exit(reason == ENOENT ? 127 : 126);
}

/// Passes the host's signal on to the command; false if the host has gone.
static bool obey(pid_t group) {
  char words[64];
  ssize_t length = read(control, words, sizeof words - 1);
  if (length < 0) return errno == EINTR || errno == EAGAIN;
  if (length == 0) return false;
  words[length] = 0;
  if (strstr(words, "INT")) kill(-group, SIGINT);
  if (strstr(words, "TERM")) kill(-group, SIGTERM);
  return true;
}

int main(int count, char **arguments) {
  if (count < 2) fail("usage: lab-supervise COMMAND…");
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGCHLD);
  sigprocmask(SIG_BLOCK, &blocked, &before);
  sigaction(SIGCHLD, &(struct sigaction){.sa_handler = child_ended}, NULL);

  pid_t command = fork();
  if (command < 0) fail("no process can be made for %s: %s; give lab/run more --memory", arguments[1], strerror(errno));
  if (command == 0) start(arguments + 1, &before);

  struct pollfd host = {control, POLLIN, 0};
  int status;
  while (waitpid(command, &status, WNOHANG) != command) {
    if (ppoll(&host, 1, NULL, &before) > 0 && !obey(command)) host.fd = -1;
  }
  kill(-command, SIGKILL);  // processes that the command has left
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
