// EAN-13 barcodes and QR codes through zxing-cpp.
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

// Finds at most `capacity` EAN-13 barcodes in 8-bit luma, in any of four directions. Returns their number.
int zxing_read_ean13(const uint8_t *luma, int width, int height, int bytes_per_row, zxing_barcode *found, int capacity);

// Makes a QR code of ASCII text, error correction M, without its margin: one byte for each module, row by row, 1 is dark. Returns the number of
// modules of a side; 0 if it does not fit in `capacity` bytes.
int zxing_make_qr(const char *text, uint8_t *modules, int capacity);

// Reads one QR code in 8-bit luma, as terminated text. Returns the length of its text; 0 if none is seen, or its text does not fit in `capacity`
// bytes.
int zxing_read_qr(const uint8_t *luma, int width, int height, int bytes_per_row, char *text, int capacity);

#ifdef __cplusplus
}
#endif
