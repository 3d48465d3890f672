// A film that is opened for playing. It is checked once, and then only read.
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

/// Maps the film, and checks that every frame lies inside it. Keeps only streams of one format if fourcc is not NULL. Ends the
/// program if the file is no film.
struct film open_film(const char *path, const char *fourcc);

/// A frame of a stream; numbers beyond the last start again at the first.
const uint8_t *film_frame(const struct film *film, const struct film_stream *stream, uint32_t number, size_t *length);
