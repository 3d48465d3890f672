// A baseline for looks: the shortest C code that maps BGRA pixels through a lattice, tetrahedrally, on one thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct lookup_floor lookup_floor;

// Makes a lattice of size³ nodes with red, green and blue within 0…1; neighbours along red are adjacent. NULL if there is no memory.
lookup_floor *lookup_floor_open(const float *rgb, int size);
void lookup_floor_close(lookup_floor *floor);

// Changes pixels in place; alpha stays.
void lookup_floor_apply(const lookup_floor *floor, uint8_t *bgra, size_t count);
