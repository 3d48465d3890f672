/// Encodes a picture as sixels (DEC STD 070, section 9; VT330/VT340 Programmer Reference, volume 2, chapter 14): bands of six rows, colour by
/// colour.
enum SixelEncoder {
  static func bytes(of picture: TerminalPicture) -> [UInt8] {
    let colors = dithered(picture)
    // P2=1: pixels without a colour keep the background. The raster attributes give square pixels and the size.
    var bytes = Array("\u{1B}P0;1;0q\"1;1;\(picture.width);\(picture.height)".utf8)
    for number in Set(colors).sorted() {
      let color = SixelPalette.percents[Int(number)]
      bytes += Array("#\(number);2;\(color.red);\(color.green);\(color.blue)".utf8)
    }
    for top in stride(from: 0, to: picture.height, by: 6) {
      if top > 0 { bytes.append(UInt8(ascii: "-")) }
      append(band: colors, top, picture, to: &bytes)
    }
    return bytes + Array("\u{1B}\\\r\n".utf8)
  }

  /// Encodes a band: each colour draws its pixels, and the next colour begins at the left again.
  private static func append(
    band colors: [UInt8], _ top: Int, _ picture: TerminalPicture, to bytes: inout [UInt8]
  ) {
    let rows = min(6, picture.height - top)
    var masks: [UInt8: [UInt8]] = [:]
    for row in 0..<rows {
      for x in 0..<picture.width {
        let color = colors[(top + row) * picture.width + x]
        masks[color, default: [UInt8](repeating: 0, count: picture.width)][x] |= 1 << UInt8(row)
      }
    }
    for (index, (color, mask)) in masks.sorted(by: { $0.key < $1.key }).enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "$")) }
      bytes += Array("#\(color)".utf8)
      append(runs: mask, to: &bytes)
    }
  }

  /// Encodes a row of sixels with run lengths. Empty sixels at its end are left out.
  private static func append(runs mask: [UInt8], to bytes: inout [UInt8]) {
    let end = (mask.lastIndex { $0 != 0 } ?? -1) + 1
    var start = 0
    while start < end {
      var next = start + 1
      while next < end, mask[next] == mask[start] { next += 1 }
      let sixel = mask[start] + 63
      if next - start > 3 {
        bytes += Array("!\(next - start)".utf8) + [sixel]
      } else {
        bytes += [UInt8](repeating: sixel, count: next - start)
      }
      start = next
    }
  }

  /// The colour number of each pixel. The error of a pixel's colour is distributed to its neighbours (Floyd and Steinberg, "An adaptive algorithm
  /// for spatial greyscale", 1976).
  private static func dithered(_ picture: TerminalPicture) -> [UInt8] {
    let width = picture.width
    var numbers = [UInt8](repeating: 0, count: width * picture.height)
    // The errors of this row and the next in sixteenths, with a spare element at each end.
    var (here, below) = (
      [SIMD4<Int32>](repeating: .zero, count: width + 2), [SIMD4<Int32>](repeating: .zero, count: width + 2)
    )
    for y in 0..<picture.height {
      for x in 0..<width {
        let at = (y * width + x) * 3
        let own = SIMD4<Int32>(
          Int32(picture.rgb[at]), Int32(picture.rgb[at + 1]), Int32(picture.rgb[at + 2]), 0)
        let wanted = (own &+ here[x + 1] / 16).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        let number = SixelPalette.nearest(wanted)
        numbers[y * width + x] = UInt8(number)
        let missed = wanted &- SixelPalette.levels[number]
        here[x + 2] &+= missed &* 7
        below[x] &+= missed &* 3
        below[x + 1] &+= missed &* 5
        below[x + 2] &+= missed
      }
      here = below
      below = [SIMD4<Int32>](repeating: .zero, count: width + 2)
    }
    return numbers
  }
}
