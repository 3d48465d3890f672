import CPNG
import Glibc

/// Reads PNG (1 to 16 bits, palette, interlaced) as BGRA in sRGB, row by row; transparent parts appear on white.
final class PNGReader {
  private let rows: OpaquePointer
  private let bytes: UnsafeRawBufferPointer
  private let header: PNGCodec.Header
  private var facts = png_facts()
  /// Notes for the user, one sentence each.
  private(set) var notes: [String] = []

  /// - Parameter bytes: must stay valid as long as the reader.
  init(_ bytes: UnsafeRawBufferPointer, _ header: PNGCodec.Header) throws(ImageError) {
    self.bytes = bytes
    self.header = header
    guard let rows = png_rows_open(bytes.baseAddress, bytes.count) else { throw .outOfMemory(bytes: 0) }
    self.rows = rows
    try check(png_rows_read_facts(rows, &facts))
    guard Int(facts.width) == header.size.width, Int(facts.height) == header.size.height else {
      throw .corrupt(format: "PNG", reason: "libpng reads another size from its header than \(header.size)")
    }
  }

  deinit { png_rows_close(rows) }

  private func check(_ isDone: Bool) throws(ImageError) {
    guard isDone else { throw .corrupt(format: "PNG", reason: String(cString: png_rows_reason(rows))) }
  }

  /// The picture. If it is beyond `ImageLimits.decodedArea`, it is reduced by a whole factor, and each pixel is the mean of the pixels that it
  /// replaces.
  func picture() throws(ImageError) -> PixelBuffer {
    let conversion = conversion()
    try check(png_rows_begin(rows, conversion.isExact))
    let factor = (1...).first { header.size.divided(by: $0).area <= ImageLimits.decodedArea } ?? 1
    let size = header.size.divided(by: factor)
    let format = ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg)
    let image = try PixelBufferPool().makeBuffer(format)
    if factor == 1 {
      try readWhole(into: image.planes[0])
    } else {
      try readReduced(by: factor, into: image.planes[0])
    }
    conversion.colors?.apply(to: image.planes[0], width: size.width)
    return image
  }

  private func readWhole(into plane: Plane) throws(ImageError) {
    for _ in 0..<png_rows_passes(rows) {
      for row in 0..<header.size.height { try check(png_rows_next(rows, plane.row(row))) }
    }
  }

  /// - Parameter factor: the number of columns and rows that become one; at the right and lower edge there may be fewer.
  private func readReduced(by factor: Int, into plane: Plane) throws(ImageError) {
    guard !facts.is_interlaced else {
      throw .tooLarge(
        what: "an interlaced PNG picture of \(header.size) pixels", limit: "\(ImageLimits.decodedArea) pixels"
      )
    }
    let (width, height) = (header.size.width, header.size.height)
    notes.append(
      "The picture of \(header.size) pixels is read at \(header.size.divided(by: factor)), because at most \(ImageLimits.decodedArea) pixels are kept in memory."
    )
    var (line, sums) = ([UInt8](repeating: 0, count: width * 4), [UInt32]())
    for top in stride(from: 0, to: height, by: factor) {
      let count = min(factor, height - top)
      sums = Array(repeating: 0, count: (width + factor - 1) / factor * 3)
      for _ in 0..<count {
        try check(line.withUnsafeMutableBufferPointer { png_rows_next(rows, $0.baseAddress) })
        Self.add(line, by: factor, to: &sums)
      }
      Self.lay(sums, width, factor: factor, rows: count, into: plane.row(top / factor))
    }
  }

  private static func add(_ line: [UInt8], by factor: Int, to sums: inout [UInt32]) {
    line.withUnsafeBufferPointer { line in
      sums.withUnsafeMutableBufferPointer { sums in
        var (place, left) = (0, factor)
        for pixel in stride(from: 0, to: line.count, by: 4) {
          sums[place] &+= UInt32(line[pixel])
          sums[place &+ 1] &+= UInt32(line[pixel &+ 1])
          sums[place &+ 2] &+= UInt32(line[pixel &+ 2])
          left &-= 1
          if left == 0 { (place, left) = (place &+ 3, factor) }
        }
      }
    }
  }

  private static func lay(
    _ sums: [UInt32], _ width: Int, factor: Int, rows: Int, into row: UnsafeMutablePointer<UInt8>
  ) {
    for column in 0..<sums.count / 3 {
      let count = UInt32(min(factor, width - column * factor) * rows)
      for channel in 0..<3 {
        row[column * 4 + channel] = UInt8((sums[column * 3 + channel] + count / 2) / count)
      }
      row[column * 4 + 3] = 255
    }
  }

  // MARK: Colours

  /// The conversion to sRGB, by the chunk with precedence (W3C PNG, third edition, 4.3): a profile, `sRGB`, then primaries; libpng handles a gamma
  /// alone.
  private func conversion() -> (colors: ColorConversion?, isExact: Bool) {
    do throws(ColorConversion.Failure) {
      if let profile = facts.profile {
        let profile = UnsafeRawBufferPointer(start: profile, count: Int(facts.profile_length))
        guard let known = ICCProfile(profile), known.space != .inks else { throw .damaged }
        return (known.isSRGB ? nil : try ColorConversion(profile, known.space), true)
      }
      if facts.is_srgb { return (nil, true) }
      let primaries = ColorPrimaries(
        places: withUnsafeBytes(of: facts.primaries) { Array($0.bindMemory(to: Double.self)) })
      guard facts.has_primaries, !facts.is_grey, primaries.isSound, !primaries.isClose(to: .sRGB) else {
        return (nil, false)
      }
      let isPlain = facts.gamma <= 0 || abs(1 / facts.gamma - 2.2) < 0.01
      return (try ColorConversion(primaries, gamma: isPlain ? 0 : 1 / facts.gamma), true)
    } catch {
      notes.append(error.note)
      return (nil, false)
    }
  }
}

extension PixelSize {
  fileprivate func divided(by factor: Int) -> PixelSize {
    PixelSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
  }
}
