import Capture
import Harness
import Imagery
import System

/// A made-up camera's list of formats, and a request for a format.
struct Offer: Sendable {
  let formats: [CameraFormat]
  let finder: FormatFinder

  var judge: FormatJudge { FormatJudge(size: finder.size, framesPerSecond: finder.framesPerSecond) }

  var sentence: String {
    let offered = formats.map(\.description).joined(separator: ", ")
    return "of \(offered) for \(finder.size) at \(finder.framesPerSecond) fps the nearest is "
      + "\(judge.best(of: formats)?.description ?? "none"), and \(finder.best(of: formats)?.description ?? "none") was found"
  }

  private static let sizes = [
    (160, 120), (176, 144), (320, 180), (320, 240), (352, 288), (424, 240), (640, 360), (640, 480),
    (800, 448),
    (800, 600), (848, 480), (960, 540), (1024, 576), (1024, 768), (1280, 720), (1280, 960), (1600, 896),
    (1920, 1080), (2304, 1296), (2560, 1440), (3840, 2160), (4000, 3000),
  ]
  private static let rates = [5, 7, 10, 15, 20, 24, 25, 30, 50, 60, 90, 120]
  private static let pixels: [PixelFormat] = [.nv12, .i420, .yuyv, .bgra]

  init(_ random: inout SplitMix64) {
    func pick<Element>(_ elements: [Element]) -> Element {
      elements[Int(random.next() % UInt64(elements.count))]
    }
    formats = (0..<(1 + Int(random.next() % 24))).map { _ in
      let (width, height) = pick(Self.sizes)
      return Self.format(width, height, rate: pick(Self.rates), pixels: pick(Self.pixels))
    }
    let (width, height) = pick(Self.sizes)
    finder = FormatFinder(
      size: PixelSize(width: width, height: height), framesPerSecond: Double(pick([15, 24, 30, 60])))
  }

  static func format(
    _ width: Int, _ height: Int, rate: Int, pixels: PixelFormat = .nv12
  ) -> CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: pixels, size: PixelSize(width: width, height: height),
        color: ColorDescription(matrix: .bt709, range: .limited)),
      frameInterval: FrameInterval(framesPerSecond: rate))
  }
}

/// The rule of PHO-4 and CTL-8 in a second implementation: it compares all pairs of formats, by integers and ratios.
struct FormatJudge {
  let size: PixelSize
  let framesPerSecond: Double

  /// Returns the format that no other format beats; of several, the first.
  func best(of formats: [CameraFormat]) -> CameraFormat? {
    formats.indices.first { index in
      formats.indices.allSatisfy { other in
        !beats(formats[other], formats[index])
      }
    }.map { formats[$0] }
  }

  /// Compares by these criteria in turn: fast enough, near in size, near in rate, cheap to convert.
  private func beats(_ one: CameraFormat, _ other: CameraFormat) -> Bool {
    let (fast, otherFast) = (isFast(one), isFast(other))
    if fast != otherFast { return fast }
    let (rate, otherRate) = (one.frameInterval.framesPerSecond, other.frameInterval.framesPerSecond)
    // If both formats are too slow, the faster format wins.
    if !fast, rate != otherRate { return rate > otherRate }
    let (ratio, otherRatio) = (distance(one.image.size), distance(other.image.size))
    // Only a difference beyond rounding counts.
    if abs(ratio / otherRatio - 1) > 1e-6 { return ratio < otherRatio }
    let (off, otherOff) = (abs(rate - framesPerSecond), abs(otherRate - framesPerSecond))
    if off != otherOff { return off < otherOff }
    return cost(one.image.pixelFormat) < cost(other.image.pixelFormat)
  }

  private func isFast(_ format: CameraFormat) -> Bool {
    format.frameInterval.framesPerSecond >= framesPerSecond * 0.99
  }

  /// Returns the ratio of the larger area to the smaller, times the square of the same ratio of the shapes: 1 for the same size.
  private func distance(_ other: PixelSize) -> Double {
    let area = Double(other.area) / Double(size.area)
    let shape = Double(other.width * size.height) / Double(other.height * size.width)
    let (areaOff, shapeOff) = (max(area, 1 / area), max(shape, 1 / shape))
    return areaOff * shapeOff * shapeOff
  }

  private func cost(_ format: PixelFormat) -> Int {
    [.nv12, .i420, .yuyv, .bgra].firstIndex(of: format) ?? .max
  }
}
