public import Imagery

/// What was chosen of a camera's formats, and how it differs from what was asked.
public struct FormatChoice: Hashable, Sendable, CustomStringConvertible {
  /// What was chosen.
  public let format: CameraFormat
  /// One short sentence for each difference; none where everything is as it was asked.
  public let differences: [String]

  /// Everything is as it was asked.
  public var isExact: Bool { differences.isEmpty }

  /// For a log: the format, and what differs.
  public var description: String {
    isExact ? "\(format)" : "\(format) (\(differences.joined(separator: "; ")))"
  }
}

extension FormatFinder {
  /// A rate that differs by no more than this is the one that was asked: 29.97 is, 30 is not.
  public static let rateTolerance = 0.01

  /// The best that there is, and how it differs from what was asked.
  /// - Returns: nil only when there is no format at all.
  public func choice(of formats: [CameraFormat]) -> FormatChoice? {
    best(of: formats).map { FormatChoice(format: $0, differences: differences(of: $0)) }
  }

  /// The format that is just what was asked: the size, the rate to a hundredth of a frame, and log where that was asked.
  /// - Returns: nil when there is none; `choice(of:)` tells what there is in its place.
  public func exact(of formats: [CameraFormat]) -> CameraFormat? {
    best(of: formats.filter { differences(of: $0).isEmpty })
  }

  private func differences(of format: CameraFormat) -> [String] {
    var differences: [String] = []
    if format.image.size != size { differences.append("asked for \(size), nearest is \(format.image.size)") }
    let rate = format.frameInterval.framesPerSecond
    if abs(rate - framesPerSecond) > Self.rateTolerance {
      differences.append(
        "asked for \(Self.text(framesPerSecond)) frames a second, nearest is \(Self.text(rate))")
    }
    if isLog, !format.isLog { differences.append("asked for a log format, there is none") }
    return differences
  }

  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() && abs(rate) < 1e6 ? "\(Int(rate))" : "\((rate * 1000).rounded() / 1000)"
  }

  /// The sizes that a camera has, the largest first; each once.
  public static func sizes(of formats: [CameraFormat]) -> [PixelSize] {
    Set(formats.map(\.image.size)).sorted { ($0.area, $0.width) > ($1.area, $1.width) }
  }
}

extension FrameInterval {
  /// The interval that a person means by a rate: 23.976, 29.97 and 59.94 are 24, 30 and 60 times 1000/1001, exactly; whole rates are
  /// whole; any other is taken to the thousandth.
  /// - Parameter rate: frames a second, 0.001…1,000,000; nil for any other.
  public init?(rate: Double) {
    guard (0.001...1e6).contains(rate) else { return nil }
    let film = (rate * 1.001).rounded()
    if abs(rate - rate.rounded()) < 1e-6 {
      self.init(framesPerSecond: Int(rate.rounded()))
    } else if [24, 30, 48, 60, 120].contains(film), abs(rate - film / 1.001) < 0.01 {
      self.init(numerator: 1001, denominator: Int(film) * 1000)
    } else {
      self.init(numerator: 1000, denominator: Int((rate * 1000).rounded()))
    }
  }
}
