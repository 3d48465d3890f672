// The part of FFmpeg's libraries that recording needs: libavformat writes a fragmented MP4 or QuickTime file, libavcodec encodes. They are loaded
// with dlopen, so that a program that does not record loads none of their hundred libraries, and a program without them still starts.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct libav_api libav_api;
typedef struct libav_movie libav_movie;

// The layout of planes for the encoder: 8 bits in a byte, or 10 bits in the low bits of two bytes.
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

// Opens the libraries of the version that this was compiled with; NULL on failure, with a clause in `reason`. They stay loaded.
const libav_api *libav_load(char *reason, size_t capacity);
bool libav_has_encoder(const libav_api *api, const char *name);
// Whether the encoder reports that it accepts pictures with this layout.
bool libav_takes(const libav_api *api, const char *name, int layout);

// Begins a file and writes its header to `descriptor`, which still belongs to the caller. All calls return 0, or a negative code for `libav_reason`.
// One thread at a time.
int libav_begin(const libav_api *api, const libav_settings *settings, int descriptor, libav_movie **movie);
// Adds a packet of Motion JPEG. `microseconds` must grow.
int libav_add_packet(libav_movie *movie, const uint8_t *bytes, int count, int64_t microseconds);
// Encodes a picture of three planes in the layout of the settings. For a 10-bit layout, 8-bit planes may be passed (`is_wide` false): the lower two
// bits are then zero.
int libav_add_picture(
    libav_movie *movie, const uint8_t *const planes[3], const int strides[3], bool is_wide, int64_t microseconds, bool is_key);
// Writes the frames that the encoder still holds, and ends the file.
int libav_end(libav_movie *movie);
// Frees everything, whether the file was ended or not.
void libav_free(libav_movie *movie);
// The number of bytes up to the end of the last whole fragment.
int64_t libav_whole_bytes(const libav_movie *movie);
// Describes a negative code, including codes of `errno`.
void libav_reason(const libav_api *api, int code, char *text, size_t capacity);
// The number of `errno` of a negative code; 0 for one of FFmpeg's own.
int libav_errno(int code);
