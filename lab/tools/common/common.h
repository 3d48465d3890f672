// Functions that several of the lab's programs share.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Returns CLOCK_MONOTONIC in seconds, the clock of V4L2 time stamps.
double now(void);

/// Prints the program's name and a sentence to standard error, and ends the program with status 1.
__attribute__((noreturn, format(printf, 1, 2))) void fail(const char *format, ...);

/// Returns the path of an open file for a message, such as /dev/video0; valid until the next call.
const char *path_of(int descriptor);

/// Reads the first line of a small text file such as a sysfs attribute, without the line end. Returns false if the file cannot be
/// read.
bool read_line(const char *path, char *line, size_t size);

/// Writes text to a sysfs attribute. Returns false with errno set if that is refused.
bool write_text(const char *path, const char *text);
