import Glibc

/// The properties of an ICC profile (ICC.1:2022) that must be known before a library reads it: whether a conversion is needed at all.
struct ICCProfile {
  /// The colour space of the pixels.
  enum Space {
    case grey
    case rgb
    case inks
  }

  let space: Space
  /// Whether the codes have the meaning of sRGB (IEC 61966-2-1), whatever the profile's name. True for most
  /// pictures with a profile.
  let isSRGB: Bool

  /// The largest profile to read, in bytes. Profiles of printing presses have two or three million.
  static let mostBytes = 8_000_000
  private static let mostTags = 100
  private static let devices: [StaticString] = ["scnr", "mntr", "prtr", "spac"]

  /// - Returns: nil if it is no profile of pixels: a device link, named colours, or damaged.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard (132...Self.mostBytes).contains(bytes.count), bytes.big32(0) <= bytes.count,
      bytes.hasText("acsp", at: 36),
      Self.devices.contains(where: { bytes.hasText($0, at: 12) }),
      bytes.hasText("XYZ ", at: 20) || bytes.hasText("Lab ", at: 20)
    else { return nil }
    switch bytes.big32(16) {
    case 0x4752_4159: space = .grey
    case 0x5247_4220: space = .rgb
    case 0x434D_594B: space = .inks
    default: return nil
    }
    let count = bytes.big32(128)
    guard count <= Self.mostTags, 132 + count * 12 <= bytes.count else { return nil }
    isSRGB = space == .rgb && Self.isSRGB(bytes, tags: count)
  }

  private static func isSRGB(_ bytes: UnsafeRawBufferPointer, tags: Int) -> Bool {
    // Treat a profile with lookup tables as another colour space.
    guard tag("A2B0", bytes, count: tags) == nil, tag("D2B0", bytes, count: tags) == nil else { return false }
    let primaries: [(StaticString, StaticString, [Double])] = [
      ("rXYZ", "rTRC", [0.4361, 0.2225, 0.0139]), ("gXYZ", "gTRC", [0.3851, 0.7169, 0.0971]),
      ("bXYZ", "bTRC", [0.1431, 0.0606, 0.7141]),
    ]
    return primaries.allSatisfy { name, curve, wanted in
      guard let color = tag(name, bytes, count: tags), color.count >= 20,
        let curve = tag(curve, bytes, count: tags)
      else {
        return false
      }
      let isClose = (0..<3).allSatisfy { abs(color.fixed(8 + $0 * 4) - wanted[$0]) < 0.002 }
      return isClose && ToneCurve(curve)?.isSRGB == true
    }
  }

  private static func tag(
    _ name: StaticString, _ bytes: UnsafeRawBufferPointer, count: Int
  ) -> UnsafeRawBufferPointer? {
    for index in 0..<count where bytes.hasText(name, at: 132 + index * 12) {
      let (offset, length) = (bytes.big32(136 + index * 12), bytes.big32(140 + index * 12))
      guard offset + length <= bytes.count, length >= 12 else { return nil }
      return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + length])
    }
    return nil
  }
}

/// A curve of a profile: `curv` or `para` (ICC.1:2022, 10.6 and 10.18).
private struct ToneCurve {
  private let bytes: UnsafeRawBufferPointer
  private let entries: Int
  private let parameters: [Double]

  init?(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    if bytes.hasText("curv", at: 0) {
      entries = bytes.big32(8)
      parameters = []
      guard entries >= 1, 12 + entries * 2 <= bytes.count else { return nil }
    } else if bytes.hasText("para", at: 0), bytes.big16(8) == 3, bytes.count >= 32 {
      entries = 0
      parameters = (0..<5).map { bytes.fixed(12 + $0 * 4) }
    } else {
      return nil
    }
  }

  private func value(_ x: Double) -> Double {
    if entries == 0 {
      let (g, a, b, c, d) = (parameters[0], parameters[1], parameters[2], parameters[3], parameters[4])
      return x >= d ? pow(a * x + b, g) : c * x
    }
    if entries == 1 { return pow(x, Double(bytes.big16(12)) / 256) }
    let place = x * Double(entries - 1)
    let index = min(Int(place), entries - 2)
    let (low, high) = (Double(bytes.big16(12 + index * 2)), Double(bytes.big16(14 + index * 2)))
    return (low + (high - low) * (place - Double(index))) / 65535
  }

  /// Whether the curve differs everywhere by less than an 8-bit code from sRGB's.
  var isSRGB: Bool {
    stride(from: 0, through: 255, by: 3).allSatisfy { code in
      let x = Double(code) / 255
      return abs(SRGBCurve.code(value(x)) - x) < 1.0 / 255
    }
  }
}

extension UnsafeRawBufferPointer {
  /// The value of an `s15Fixed16Number`.
  fileprivate func fixed(_ index: Int) -> Double {
    Double(Int32(truncatingIfNeeded: big32(index))) / 65536
  }
}
