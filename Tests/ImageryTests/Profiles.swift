import Foundation

/// Colour profiles (ICC.1:2022) written for tests.
enum Profiles {
  /// The columns of the matrix: the X, Y and Z of red, green and blue under D50.
  static let sRGB: [[Double]] = [
    [0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141],
  ]
  static let displayP3: [[Double]] = [
    [0.5151, 0.2412, -0.0011], [0.2920, 0.6922, 0.0419], [0.1571, 0.0666, 0.7841],
  ]

  /// The transfer curve of sRGB.
  static let curve: [UInt8] = Array(
    [
      tag("para"), [0, 3, 0, 0], fixed(2.4), fixed(1 / 1.055), fixed(0.055 / 1.055), fixed(1 / 12.92),
      fixed(0.04045),
    ].joined())
  static func power(_ gamma: Double) -> [UInt8] { tag("para") + [0, 0, 0, 0] + fixed(gamma) }

  static func rgb(_ columns: [[Double]], curve: [UInt8] = curve) -> [UInt8] {
    var tags: [(String, [UInt8])] = [("wtpt", xyz([0.9642, 1, 0.8249]))]
    for (name, column) in zip(["r", "g", "b"], columns) {
      tags += [("\(name)XYZ", xyz(column)), ("\(name)TRC", curve)]
    }
    return profile("RGB ", tags)
  }

  static func grey(_ gamma: Double) -> [UInt8] {
    profile("GRAY", [("wtpt", xyz([0.9642, 1, 0.8249])), ("kTRC", power(gamma))])
  }

  /// Returns a profile of four inks, with a table of Lab values for no ink and full ink (`mft1`). Black removes all lightness, the
  /// other three together remove 80 %, and none has a hue.
  static func inks() -> [UInt8] {
    var table = tag("mft1") + [4, 3, 2, 0]
    for index in 0..<9 { table += fixed(index % 4 == 0 ? 1 : 0) }
    let straight = [UInt8](0...255)
    for _ in 0..<4 { table += straight }
    for node in 0..<16 {
      let (colored, black) = ([8, 4, 2].filter { node & $0 != 0 }.count, node & 1)
      let lightness = black == 1 ? 0 : 1 - 0.8 * Double(colored) / 3
      table += [UInt8((lightness * 255).rounded()), 128, 128]
    }
    for _ in 0..<3 { table += straight }
    return profile("CMYK", connection: "Lab ", [("wtpt", xyz([0.9642, 1, 0.8249])), ("A2B0", table)])
  }

  static func profile(
    _ space: String, connection: String = "XYZ ", _ tags: [(String, [UInt8])]
  ) -> [UInt8] {
    var (table, data) = (big32(tags.count), [UInt8]())
    let first = 132 + tags.count * 12
    for (name, content) in tags {
      table += Array(name.utf8) + big32(first + data.count) + big32(content.count)
      data += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    var header = big32(first + data.count) + [0, 0, 0, 0] + [space == "CMYK" ? 2 : 4, 0, 0, 0]
    header +=
      Array("\(space == "CMYK" ? "prtr" : "mntr")\(space)\(connection)".utf8)
      + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28) + fixed(0.9642) + fixed(1) + fixed(0.8249)
    return header + [UInt8](repeating: 0, count: 128 - header.count) + table + data
  }

  /// Returns a JPEG picture whose profile is split into `parts` segments, optionally in reversed order.
  static func jpeg(_ picture: [UInt8], _ profile: [UInt8], parts: Int = 1, reversed: Bool = false) -> [UInt8]
  {
    let length = (profile.count + parts - 1) / parts
    let segments = (0..<parts).map { part -> [UInt8] in
      let body =
        Array("ICC_PROFILE\0".utf8) + [UInt8(part + 1), UInt8(parts)]
        + profile[part * length..<min(profile.count, (part + 1) * length)]
      return [0xFF, 0xE2, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 255)] + body
    }
    let joined = Array((reversed ? segments.reversed() : segments).joined())
    return Array(picture.prefix(2)) + joined + Array(picture.dropFirst(2))
  }

  private static func tag(_ name: String) -> [UInt8] { Array(name.utf8) + [0, 0, 0, 0] }
  private static func xyz(_ values: [Double]) -> [UInt8] { tag("XYZ ") + values.flatMap(fixed) }
  private static func fixed(_ value: Double) -> [UInt8] {
    big32(Int((value * 65536).rounded()) & 0xFFFF_FFFF)
  }
  private static func big32(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - $0 * 8) & 255) } }
}
