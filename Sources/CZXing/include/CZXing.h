// EAN-13 barcodes through zxing-cpp.
#pragma once
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char digits[14];   // thirteen digits, terminated
  int32_t corners[8];  // x, y of four corners, pixels
} zxing_barcode;

// Finds at most `capacity` EAN-13 barcodes in 8-bit luma, in any of four directions. Returns how many.
int zxing_read_ean13(const uint8_t *luma, int width, int height, int bytes_per_row, zxing_barcode *found, int capacity);

#ifdef __cplusplus
}
#endif
