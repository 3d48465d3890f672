import Glibc
import Imagery

/// The difference between a finished picture and the expected picture.
package struct PictureDifference {
  /// Peak signal-to-noise ratio of luma (BT.601), in dB, with a peak of 255. At most 58.9 dB: smaller differences cannot be distinguished from
  /// rounding to 8 bits (a mean square of 1/12).
  package let likeness: Double
  /// Structural similarity of luma, −1…1, as computed by `ImageQuality.ssim`: edges make a picture readable, and a mean square neglects them.
  package let similarity: Double
  /// Mean distance of Cb and Cr, in 8-bit levels. Both are first averaged over 2×2 pixels, the resolution of a photo with halved chroma.
  package let chromaMean: Double
  /// The 99th percentile of the same distances, in levels, to a sixteenth.
  package let chromaHigh: Double

  /// - Returns: nil if the sizes differ.
  package init?(_ seen: RGBSamples, from wanted: RGBSamples) {
    guard seen.size.area > 0, let similarity = ImageQuality.ssim(seen.lumaImage, wanted.lumaImage) else {
      return nil
    }
    self.similarity = similarity
    var squares = 0.0
    for pixel in 0..<seen.size.area {
      let distance = seen.luma(pixel * 3) - wanted.luma(pixel * 3)
      squares += distance * distance
    }
    likeness = 10 * log10(255 * 255 / max(squares / Double(seen.size.area), 1.0 / 12))
    var distances = Distances()
    for y in stride(from: 0, to: seen.size.height, by: 2) {
      for x in stride(from: 0, to: seen.size.width, by: 2) {
        let (a, b) = (seen.chroma(x, y), wanted.chroma(x, y))
        distances.add(abs(a.cb - b.cb))
        distances.add(abs(a.cr - b.cr))
      }
    }
    chromaMean = distances.mean
    chromaHigh = distances.percentile(0.99)
  }
}

extension RGBSamples {
  fileprivate var lumaImage: LumaImage {
    LumaImage(
      size: size,
      bytes: (0..<size.area).map { UInt8(max(0, min(255, luma($0 * 3).rounded()))) })
  }

  fileprivate func luma(_ index: Int) -> Double {
    0.299 * values[index] + 0.587 * values[index + 1] + 0.114 * values[index + 2]
  }

  /// Returns Cb and Cr (minus 128) of the 2×2 pixels from (x, y), or of as many as there are.
  fileprivate func chroma(_ x: Int, _ y: Int) -> (cb: Double, cr: Double) {
    var (luma, red, blue, count) = (0.0, 0.0, 0.0, 0.0)
    for row in y..<min(y + 2, size.height) {
      for column in x..<min(x + 2, size.width) {
        let index = (row * size.width + column) * 3
        luma += self.luma(index)
        red += values[index]
        blue += values[index + 2]
        count += 1
      }
    }
    return ((blue - luma) / 1.772 / count, (red - luma) / 1.402 / count)
  }
}

/// Distances in sixteenths of a level.
private struct Distances {
  private var bins = [Int](repeating: 0, count: 16 * 256)
  private var sum = 0.0
  private var count = 0

  var mean: Double { sum / Double(count) }

  mutating func add(_ distance: Double) {
    bins[min(Int(distance * 16), bins.count - 1)] += 1
    sum += distance
    count += 1
  }

  /// Returns the distance that `share` (0...1) of all pixels' distances do not exceed, in levels, rounded up to a sixteenth.
  func percentile(_ share: Double) -> Double {
    var seen = 0
    let bin = bins.firstIndex { number in
      seen += number
      return Double(seen) >= share * Double(count)
    }
    return Double((bin ?? bins.count) + 1) / 16
  }
}
