import Glibc

/// Exposure compensation by software, for cameras that have none: multiplies every colour as if there had been more light. Colours that become
/// too bright are clipped, and noise is amplified too.
///
/// Codes are assumed to be light to the power of 1/2.2, so one EV multiplies them by 2^(1/2.2). Preview and photo use the same
/// table, on full-range red, green and blue after scaling and before a look, so that preview and photo look alike.
public struct DigitalExposure: Hashable, Sendable {
  /// The bias in EV, −4...4.
  public let bias: Double

  /// - Parameter bias: the compensation in EV, clamped to −4...4; NaN counts as 0.
  public init(bias: Double) { self.bias = bias.isNaN ? 0 : min(max(bias, -4), 4) }

  /// The factor for full-range codes of red, green and blue.
  public var gain: Double { exp2(bias / 2.2) }

  /// The new code for each full-range code of red, green and blue, or of a grey picture's luma.
  public var lumaTable: [UInt8] { (0...255).map { UInt8(min(255, (Double($0) * gain).rounded())) } }

  /// The table of new codes for each byte of a BGRA or RGBA pixel, whose alpha stays (`RGBRange.apply`); nil if no code changes.
  var pixelTable: [UInt8]? {
    bias == 0 ? nil : lumaTable.enumerated().flatMap { code, new in [new, new, new, UInt8(code)] }
  }

  /// Changes a full-range grey picture in place.
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
