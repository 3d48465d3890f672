import Glibc
import Imagery

/// How far a finished picture is from what it should show.
package struct PictureDifference {
  /// Peak signal-to-noise ratio of luma (BT.601), in dB, peak 255. At most 58.9 dB: what is nearer than rounding to 8 bits
  /// (a mean square of 1/12) cannot be told from it.
  package let likeness: Double
  /// Structural similarity of luma, −1…1, as `ImageQuality.ssim` has it: what is read in a picture is its edges, which a mean square forgets.
  package let similarity: Double
  /// Cb and Cr, as means of 2×2 pixels, which is what a photo with halved chroma can hold: mean distance, in 8-bit levels.
  package let chromaMean: Double
  /// The distance that 99 of 100 of them stay below, in levels, to a sixteenth.
  package let chromaHigh: Double

  /// - Returns: nil when the sizes differ.
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

  /// Cb and Cr (less 128) of the 2×2 pixels from (x, y), or as many as there are.
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

  /// The upper edge of the sixteenth in which that share of them is reached.
  func percentile(_ share: Double) -> Double {
    var seen = 0
    let bin = bins.firstIndex { number in
      seen += number
      return Double(seen) >= share * Double(count)
    }
    return Double((bin ?? bins.count) + 1) / 16
  }
}
