// The part of FFmpeg's libraries that recording needs: libavformat writes a fragmented MP4 or QuickTime file, libavcodec encodes. Reached by dlopen, so that a
// program that does not record loads none of their hundred libraries, and one without them still starts.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct libav_api libav_api;
typedef struct libav_movie libav_movie;

// How the planes that are encoded are laid out: 8 bits in a byte, or 10 low in two.
enum { libav_420 = 0, libav_422 = 1, libav_422_wide = 2, libav_420_wide = 3 };
// ITU-T H.273 matrix coefficients.
enum { libav_bt709 = 1, libav_bt601 = 5, libav_bt2020 = 9 };

typedef struct {
  const char *container;  // "mp4" or "mov"
  const char *encoder;    // by libavcodec's name; NULL: packets of Motion JPEG are given
  int width, height;      // of the pixels as they are stored
  int rate_numerator, rate_denominator;  // frames a second that the camera promises
  int layout, matrix;
  int64_t bit_rate;  // bits a second; 0: by quality
  int quality;       // constant rate factor, 0 best; where the encoder has one
  const char *preset;   // of x264 and x265
  const int32_t *display_matrix;  // nine numbers as `tkhd` has them; NULL: pixels are upright
  const char *created;  // ISO 8601
} libav_settings;

// Opens the libraries of the version that this was compiled with; NULL when it cannot, with a clause in `reason`. They are kept for good.
const libav_api *libav_load(char *reason, size_t capacity);
// Such as 59.27.100, of libavformat.
void libav_version(const libav_api *api, char *text, size_t capacity);
bool libav_has_encoder(const libav_api *api, const char *name);
// Whether that encoder says that it takes pictures of such a layout.
bool libav_takes(const libav_api *api, const char *name, int layout);

// Begins a file: its header is written to `descriptor`, which stays the caller's. All calls return 0, or a negative code for `libav_reason`. One thread at a time.
int libav_begin(const libav_api *api, const libav_settings *settings, int descriptor, libav_movie **movie);
// Adds a packet of Motion JPEG. `microseconds` must grow.
int libav_add_packet(libav_movie *movie, const uint8_t *bytes, int count, int64_t microseconds);
// Encodes a picture of three planes in the layout of the settings. Planes of 8 bits may be given for one of 10 (`is_wide` false): the lower two are then zero.
int libav_add_picture(
    libav_movie *movie, const uint8_t *const planes[3], const int strides[3], bool is_wide, int64_t microseconds, bool is_key);
// What the encoder still holds, and the end of the file.
int libav_end(libav_movie *movie);
// Lets go of everything, whether the file was ended or not.
void libav_free(libav_movie *movie);
// Up to where the file can be read, in bytes: whole fragments.
int64_t libav_whole_bytes(const libav_movie *movie);
// What a negative code means. One of `errno` is told as such.
void libav_reason(const libav_api *api, int code, char *text, size_t capacity);
// The number of `errno` that a negative code stands for; 0 for one of FFmpeg's own.
int libav_errno(int code);
