// Counts what a thread allocates, in the program that links it. Nothing under a sanitizer, which has an allocator of its own.
#pragma once
#include <stdint.h>

/// Allocations of the calling thread since it began: those that libyuv and libjpeg-turbo make for themselves are not among them, nor
/// those between `allocation_count_pause` and `allocation_count_resume`. -1 where nothing is counted.
int64_t allocation_count(void);

/// Those of libyuv and libjpeg-turbo alone; -1 where nothing is counted.
int64_t allocation_count_of_libraries(void);

/// What the calling thread allocates from now on does not count, until it has called `allocation_count_resume` as often.
void allocation_count_pause(void);
void allocation_count_resume(void);
