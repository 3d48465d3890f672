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
/// in area plus twice that in aspect ratio, each in octaves (log₂), so that half and double are equally far, and a picture of
/// the wrong shape, which must be cropped, is farther. Next comes the rate nearest to the wanted one; then the format cheapest
/// to convert: planar before packed before compressed. Between formats that are equal in all of these, the device's own order decides.
public struct FormatFinder: Hashable, Sendable {
  /// The wanted size, in stored pixels.
  public var size: PixelSize
  /// The wanted rate. Faster rates are accepted; slower ones only if nothing else is offered.
  public var framesPerSecond: Double
  /// Whether a log format is wanted: a ten-bit format in BT.2020 then comes before all others that are fast enough. Without such a format, this
  /// has no effect.
  public var isLog = false

  /// By default 720p at 30 frames a second.
  public init(size: PixelSize = PixelSize(width: 1280, height: 720), framesPerSecond: Double = 30) {
    self.size = size
    self.framesPerSecond = framesPerSecond
  }

  /// - Returns: nil only if `formats` is empty.
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
