// Counts the allocations of each thread in the program that links this file. Counts nothing under a sanitizer, which has its own
// allocator.
#pragma once
#include <stdint.h>

/// Returns the number of the calling thread's allocations since it began, except those by libyuv and libjpeg-turbo and those
/// between `allocation_count_pause` and `allocation_count_resume`; -1 if nothing is counted.
int64_t allocation_count(void);

/// Returns the number of the calling thread's allocations by libyuv and libjpeg-turbo; -1 if nothing is counted.
int64_t allocation_count_of_libraries(void);

/// Stops counting on the calling thread, until `allocation_count_resume` has been called as often.
void allocation_count_pause(void);
void allocation_count_resume(void);
