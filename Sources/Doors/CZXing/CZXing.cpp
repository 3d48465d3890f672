#define ZX_USE_UTF8 1
#include "CZXing.h"
#include "ReaderOptions.h"
#include <algorithm>
#include <cstring>
#include <vector>

namespace {

/// A reduced picture: each of its pixels is the mean of `scale` × `scale` pixels of the original.
struct Layer {
  const uint8_t *luma;
  int width, height, bytes_per_row, scale;
};

// The library's own limits for reducing a picture.
constexpr int smallest_side = 500, factor = 3;

/// Reduces a picture to a third of its size; each pixel is the mean of nine.
Layer reduced(const Layer &from, std::vector<uint8_t> &pixels) {
  Layer to{nullptr, from.width / factor, from.height / factor, from.width / factor, from.scale * factor};
  pixels.resize(size_t(to.width) * to.height);
  for (int y = 0; y < to.height; y++) {
    for (int x = 0; x < to.width; x++) {
      int sum = factor * factor / 2;
      for (int row = 0; row < factor; row++) {
        const uint8_t *line = from.luma + size_t(y * factor + row) * from.bytes_per_row + x * factor;
        for (int column = 0; column < factor; column++) sum += line[column];
      }
      pixels[size_t(y) * to.width + x] = uint8_t(sum / (factor * factor));
    }
  }
  to.luma = pixels.data();
  return to;
}

int read_layer(const Layer &layer, zxing_barcode *found, int count, int capacity) {
  ZXing::ImageView view(layer.luma, layer.width, layer.height, ZXing::ImageFormat::Lum, layer.bytes_per_row);
  ReaderOptions options;
  options.setFormats(ZXing::BarcodeFormat::EAN13).setTryHarder(true).setTryRotate(true).setTryDownscale(false);
  const int known = count;
  for (const auto &result : ZXing::ReadBarcodes(view, options)) {
    if (count == capacity) break;
    std::string text = result.text();
    if (!result.isValid() || text.size() != 13) continue;
    bool is_known = false;
    for (int i = 0; i < known; i++) is_known |= std::memcmp(found[i].digits, text.c_str(), 14) == 0;
    if (is_known) continue;
    std::memcpy(found[count].digits, text.c_str(), 14);
    for (int i = 0; i < 4; i++) {
      found[count].corners[2 * i] = result.position()[i].x * layer.scale;
      found[count].corners[2 * i + 1] = result.position()[i].y * layer.scale;
    }
    count++;
  }
  return count;
}

}  // namespace

int zxing_read_ean13(const uint8_t *luma, int width, int height, int bytes_per_row, zxing_barcode *found, int capacity) {
  int count = 0;
  // No exception may leave C++.
  try {
    // The layers are read one by one here. Given all layers, libzxing 1.4 compares the finds of two layers, and asserts (`lineCount() == 1`)
    // that the first was read in only one line of pixels. A large sharp barcode is read in many lines, and would abort the process.
    Layer layer{luma, width, height, bytes_per_row, 1};
    std::vector<uint8_t> pixels[2];
    for (int next = 0;; next = 1 - next) {
      count = read_layer(layer, found, count, capacity);
      if (std::max(layer.width, layer.height) <= smallest_side || std::min(layer.width, layer.height) < factor) break;
      layer = reduced(layer, pixels[next]);
    }
  } catch (...) {
  }
  return count;
}
