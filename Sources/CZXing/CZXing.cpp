#define ZX_USE_UTF8 1
#include "CZXing.h"
#include <ZXing/ReadBarcode.h>
#include <cstring>

int zxing_read_ean13(const uint8_t *luma, int width, int height, int bytes_per_row, zxing_barcode *found, int capacity) {
  // No exception may leave C++.
  try {
    ZXing::ImageView view(luma, width, height, ZXing::ImageFormat::Lum, bytes_per_row);
    ZXing::DecodeHints hints;
    hints.setFormats(ZXing::BarcodeFormat::EAN13).setTryHarder(true).setTryRotate(true);
    int count = 0;
    for (const auto &result : ZXing::ReadBarcodes(view, hints)) {
      if (count == capacity) break;
      std::string text = result.text();
      if (!result.isValid() || text.size() != 13) continue;
      std::memcpy(found[count].digits, text.c_str(), 14);
      for (int i = 0; i < 4; i++) {
        found[count].corners[2 * i] = result.position()[i].x;
        found[count].corners[2 * i + 1] = result.position()[i].y;
      }
      count++;
    }
    return count;
  } catch (...) {
    return 0;
  }
}
