// Functions of a library that is loaded when it is needed, and may be missing.
#pragma once
#include <stdbool.h>
#include <stddef.h>

typedef struct {
  const char *name;
  // Where in the table its address goes, in bytes.
  size_t offset;
  // Its address is then NULL.
  bool may_be_missing;
} loader_symbol;

// Loads the library and makes a table of `size` bytes with the addresses of all `count` symbols. The library is kept for good; the table is the caller's, to be freed.
// Where something is missing: NULL, with a clause in `reason`.
void *loader_open(const char *path, const loader_symbol *symbols, size_t count, size_t size, char *reason, size_t capacity);
