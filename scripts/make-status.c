// GNU make turns every failure into exit status 2, but a gate must distinguish 1 (regressed), 3 (inconclusive) and 4 (no source).
// So the Makefile loads this module: $(exit-status N) ends make with status N, and without N it does nothing.
#include <gnumake.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int plugin_is_GPL_compatible;

static char *exit_status(const char *name, unsigned int count, char **arguments) {
  (void)name;
  if (count == 1 && *arguments[0] != '\0') {
    fflush(NULL);
    _exit(atoi(arguments[0]));
  }
  return NULL;
}

int status_gmk_setup(void) {
  gmk_add_function("exit-status", exit_status, 1, 1, GMK_FUNC_DEFAULT);
  return 1;
}
