#include "CLoader.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *loader_open(const char *path, const loader_symbol *symbols, size_t count, size_t size, char *reason, size_t capacity) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, capacity, "%s", dlerror());
    return NULL;
  }
  char *table = calloc(1, size);
  if (!table) snprintf(reason, capacity, "there is no memory");
  for (size_t i = 0; table && i < count; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (address || symbols[i].may_be_missing) {
      memcpy(table + symbols[i].offset, &address, sizeof address);
    } else {
      snprintf(reason, capacity, "%s has no %s", path, symbols[i].name);
      free(table);
      table = NULL;
    }
  }
  if (!table) dlclose(library);
  return table;
}
