#define ZX_USE_UTF8 1
#include "CZXing.h"
#include "ReaderOptions.h"
#include <ZXing/BitMatrix.h>
#include <ZXing/MultiFormatWriter.h>
#include <cstring>

// zxing-cpp 3 deprecates this writer in favour of one that earlier versions lack.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

// The library counts levels from 0 to 8: L, M, Q and H are 2 apart.
static constexpr int level_m = 4;

int zxing_make_qr(const char *text, uint8_t *modules, int capacity) {
  // No exception may leave C++.
  try {
    const auto code = ZXing::MultiFormatWriter(ZXing::BarcodeFormat::QRCode)
                          .setMargin(0)
                          .setEccLevel(level_m)
                          .encode(std::string(text), 0, 0);
    const int side = code.width();
    if (side != code.height() || side * side > capacity) return 0;
    for (int y = 0; y < side; y++)
      for (int x = 0; x < side; x++) modules[y * side + x] = code.get(x, y) ? 1 : 0;
    return side;
  } catch (...) {
    return 0;
  }
}

int zxing_read_qr(const uint8_t *luma, int width, int height, int bytes_per_row, char *text, int capacity) {
  try {
    ZXing::ImageView view(luma, width, height, ZXing::ImageFormat::Lum, bytes_per_row);
    ReaderOptions options;
    options.setFormats(ZXing::BarcodeFormat::QRCode).setTryHarder(false).setTryRotate(false).setTryDownscale(false);
    options.setMaxNumberOfSymbols(1);
    for (const auto &result : ZXing::ReadBarcodes(view, options)) {
      const std::string found = result.text();
      if (!result.isValid() || found.size() >= size_t(capacity)) continue;
      std::memcpy(text, found.c_str(), found.size() + 1);
      return int(found.size());
    }
  } catch (...) {
  }
  return 0;
}
