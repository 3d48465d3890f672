// A look by hand: the shortest C that takes BGRA pixels through a lattice, tetrahedrally, on one thread.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct lookup_floor lookup_floor;

// Of red, green and blue of size³ nodes within 0…1, red's neighbours beside each other. NULL when there is no memory.
lookup_floor *lookup_floor_open(const float *rgb, int size);
void lookup_floor_close(lookup_floor *floor);

// In place; alpha stays.
void lookup_floor_apply(const lookup_floor *floor, uint8_t *bgra, size_t count);
