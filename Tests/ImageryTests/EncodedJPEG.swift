import CTurboJPEG
import Testing

@testable import Imagery

/// JPEG pictures encoded by libjpeg-turbo, changed in ways that cameras use.
enum EncodedJPEG {
  /// 4:4:4, 4:2:2, 4:2:0, grey, 4:4:0, 4:1:1.
  static let samplings = [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_GRAY, TJSAMP_440, TJSAMP_411].map {
    Int32($0.rawValue)
  }

  /// Returns a picture of slopes, edges and noise. `left` and `top` choose the part of the pattern.
  static func picture(
    _ size: PixelSize, sampling: Int32, quality: Int32 = 85, isProgressive: Bool = false, left: Int = 0,
    top: Int = 0
  ) throws -> [UInt8] {
    var pixels = [UInt8](repeating: 0, count: size.area * 3)
    for place in pixels.indices {
      let (x, y, channel) = (left + place / 3 % size.width, top + place / 3 / size.width, place % 3)
      let slope = (x * (3 + channel) + y * 5) % 256
      let edge = (x / 11 + y / 7) % 2 == 0 ? slope : 255 - slope
      pixels[place] = UInt8((edge * 3 + Int(Pictures.noise(channel, x, y))) / 4)
    }
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var (out, count) = (nil as UnsafeMutablePointer<UInt8>?, UInt(0))
    let status = tjCompress2(
      handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(TJPF_RGB.rawValue), &out, &count,
      sampling,
      quality, isProgressive ? TJFLAG_PROGRESSIVE : 0)
    defer { tjFree(out) }
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: out, count: Int(count)))
  }

  /// Returns a picture of `across` × `down` MCUs, less `lacking` columns and rows, with a restart marker after each `interval`
  /// MCUs. Each interval is encoded as a picture of one row.
  static func restarting(
    across: Int, down: Int, interval: Int, lacking: Int, sampling: Int32
  ) throws -> (bytes: [UInt8], size: PixelSize) {
    let table = try #require(ChromaSampling(turboJPEG: sampling))
    let unit = PixelSize(width: 8 * table.horizontal, height: 8 * table.vertical)
    let size = PixelSize(width: unit.width * across - lacking, height: unit.height * down - lacking)
    let count = (across * down + interval - 1) / interval
    var bytes = [UInt8]()
    for index in 0..<count {
      let units = min(interval, across * down - index * interval)
      let part = PixelSize(width: unit.width * units, height: unit.height)
      let (column, row) = (index * interval % across, index * interval / across)
      let picture = try picture(
        part, sampling: sampling, left: column * unit.width, top: row * unit.height)
      let scan = try scanStart(picture)
      if index == 0 {
        bytes = Array(picture.prefix(scan))
        let frame = try #require(
          bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        bytes.replaceSubrange(frame + 5..<frame + 9, with: big16(size.height) + big16(size.width))
        bytes.insert(contentsOf: [0xFF, 0xDD, 0, 4] + big16(interval), at: frame)
      }
      bytes += picture[scan..<picture.count - 2]
      bytes += [0xFF, index == count - 1 ? 0xD9 : 0xD0 + UInt8(index % 8)]
    }
    return (bytes, size)
  }

  /// Returns the offset of the entropy-coded data.
  static func scanStart(_ bytes: [UInt8]) throws -> Int {
    try bytes.withUnsafeBytes { try JPEGHeader($0).scanStart }
  }

  /// Returns the picture without the segments that begin with `marker`.
  static func without(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var (result, at) = (Array(bytes[0..<2]), 2)
    while bytes[at + 1] != 0xDA {
      let length = 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3])
      if bytes[at + 1] != marker { result += bytes[at..<at + length] }
      at += length
    }
    return result + bytes[at...]
  }

  private static func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
}
