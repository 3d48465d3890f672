import Glibc
public import Imagery

/// Finds the best of the formats that a camera offers (CTL-8, PHO-4).
///
/// ```swift
/// configuration.chooseFormat = {
///   FormatFinder(size: PixelSize(width: 1920, height: 1080), framesPerSecond: 60).best(of: $0)
/// }
/// ```
///
/// Formats fast enough come before those that are not. Among them the nearest in size wins: the distance is the difference
/// in area plus twice that in aspect ratio, each in octaves (log₂), so that half and double are equally far and a picture of
/// the wrong shape, which must be cropped, is farther. Then the rate nearest to the one asked for; then what is cheapest
/// to convert: planar before packed before compressed. What is left is decided by the device's own order.
public struct FormatFinder: Hashable, Sendable {
  /// The size that is wanted, in stored pixels.
  public var size: PixelSize
  /// The rate that is wanted; faster ones do as well, slower ones only where there is nothing else.
  public var framesPerSecond: Double
  /// A log format is wished: one of ten bits in BT.2020 comes before all others that are fast enough. Where there is none, this changes
  /// nothing.
  public var isLog = false

  /// The default is 720p at 30 frames a second.
  public init(size: PixelSize = PixelSize(width: 1280, height: 720), framesPerSecond: Double = 30) {
    self.size = size
    self.framesPerSecond = framesPerSecond
  }

  /// - Returns: nil only when there is none.
  public func best(of formats: [CameraFormat]) -> CameraFormat? {
    let ranked = formats.map { (format: $0, rank: rank($0)) }
    return ranked.min { $0.rank.lexicographicallyPrecedes($1.rank) }?.format
  }

  private func rank(_ format: CameraFormat) -> [Double] {
    let rate = format.frameInterval.framesPerSecond
    // 29.97 is fast enough for 30. Of formats that are all too slow, the fastest comes first.
    let slowness = rate >= framesPerSecond * 0.99 ? 0 : framesPerSecond - rate
    return [
      slowness, isLog && !format.isLog ? 1 : 0, distance(to: format.image.size), abs(rate - framesPerSecond),
      Double(format.image.pixelFormat.conversionCost),
    ]
  }

  private func distance(to other: PixelSize) -> Double {
    let area = log2(Double(other.area) / Double(size.area))
    let aspect =
      log2(Double(other.width) / Double(other.height)) - log2(Double(size.width) / Double(size.height))
    return ((abs(area) + 2 * abs(aspect)) * 1e6).rounded()
  }
}
