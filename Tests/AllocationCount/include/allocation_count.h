// Counts the allocations of each thread in the program that links this file. Counts nothing under a sanitizer, which has its own
// allocator.
#pragma once
#include <stdint.h>

/// The calling thread's allocations since it began, without those of libyuv and libjpeg-turbo and without those between
/// `allocation_count_pause` and `allocation_count_resume`. -1 if nothing is counted.
int64_t allocation_count(void);

/// The calling thread's allocations by libyuv and libjpeg-turbo alone; -1 if nothing is counted.
int64_t allocation_count_of_libraries(void);

/// Stops counting for the calling thread until it has called `allocation_count_resume` equally often.
void allocation_count_pause(void);
void allocation_count_resume(void);
