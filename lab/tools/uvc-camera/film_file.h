// A film opened for playing: checked once, then only read.
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "film.h"

struct film {
  const uint8_t *data;
  size_t length;
  uint32_t stream_count;
  struct film_stream streams[film_streams];
};

/// Maps the film and checks that every frame lies inside it; keeps only streams of one format when fourcc is not NULL.
/// Ends the program when the file is no film.
struct film open_film(const char *path, const char *fourcc);

/// Frame number (counted over and over) of a stream.
const uint8_t *film_frame(const struct film *film, const struct film_stream *stream, uint32_t number, size_t *length);
