/* What a program tells callgrind, the tool of valgrind that counts instructions: where the work begins and ends. Everywhere else these do nothing. */
#pragma once
#include <stdbool.h>
#include <stdint.h>

/* Whether the program was compiled with valgrind's header, without which it cannot tell anything. */
bool counting_is_built(void);
/* From here on instructions of all threads are counted, from 0. */
void counting_begin(void);
/* Counts no more, and writes what was counted since `counting_begin` into the next file, under this name. */
void counting_end(const char *name);
/* From here on the bytes are counted that the program and its libraries have the C library copy (memcpy, memmove, mempcpy): their calls of it are led through functions that
   count. Calls of libraries that are loaded later are counted after the next call of this. Only for a program that is run to be counted. */
void counting_watch_copies(void);
/* The bytes copied by all threads since the first call of `counting_watch_copies`. */
uint64_t counting_copied(void);
/* The version of the C library that runs, such as 2.36. */
const char *counting_c_library(void);
/* Two instructions a round, and not one more: what a count is proved by. */
void counting_rounds(uint64_t rounds);
/* Copies as many bytes by memcpy: what a count of copies is proved by. False if there is no memory. */
bool counting_copy(uint64_t bytes);
