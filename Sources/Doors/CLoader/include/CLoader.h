// Loads functions of a library when it is needed; the library may be missing.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;
  // The offset of the address in the table, in bytes.
  size_t offset;
  // If the symbol is missing, its address is NULL.
  bool may_be_missing;
} loader_symbol;

// Loads the library and makes a table of `size` bytes with the addresses of all `count` symbols. The library stays loaded; the caller must free the
// table. If something is missing, returns NULL, with a clause in `reason`.
void *loader_open(const char *path, const loader_symbol *symbols, size_t count, size_t size, char *reason, size_t capacity);
