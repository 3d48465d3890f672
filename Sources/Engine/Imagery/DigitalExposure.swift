import Glibc

/// Exposure compensation by software, for cameras that have none: every colour is multiplied as if so much more light had come. What is
/// too bright for its code is cut off, and noise grows with the picture.
///
/// Codes are taken to stand for light to the power of 1/2.2, so one EV multiplies them by 2^(1/2.2). Preview and photo do it with the same
/// table, on full-range red, green and blue after scaling and before a look, so that they look alike.
public struct DigitalExposure: Hashable, Sendable {
  /// −4...4, in EV.
  public let bias: Double

  /// - Parameter bias: clamped to −4...4; what is no number counts as 0.
  public init(bias: Double) { self.bias = bias.isNaN ? 0 : min(max(bias, -4), 4) }

  /// What a full-range code of red, green or blue is multiplied by.
  public var gain: Double { exp2(bias / 2.2) }

  /// For each full-range code of red, green, blue or of a grey picture's luma, the code it becomes.
  public var lumaTable: [UInt8] { (0...255).map { UInt8(min(255, (Double($0) * gain).rounded())) } }

  /// The same for each byte of a BGRA or RGBA pixel, whose alpha stays (`RGBRange.apply`); nil where no code changes.
  var pixelTable: [UInt8]? {
    bias == 0 ? nil : lumaTable.enumerated().flatMap { code, new in [new, new, new, UInt8(code)] }
  }

  /// Changes a full-range picture without colour in place.
  func apply(toGrey image: PlanarImage) {
    guard bias != 0 else { return }
    lumaTable.withUnsafeBufferPointer { table in
      for y in 0..<image.size.height {
        let row = image.planes[0].row(y)
        for x in 0..<image.size.width { row[x] = table[Int(row[x])] }
      }
    }
  }
}
