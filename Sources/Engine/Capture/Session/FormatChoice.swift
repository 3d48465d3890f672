public import Imagery

/// A format chosen among a camera's formats, and its differences from the request.
public struct FormatChoice: Hashable, Sendable, CustomStringConvertible {
  /// The chosen format.
  public let format: CameraFormat
  /// One short sentence for each difference; empty if the format is exactly as requested.
  public let differences: [String]

  /// Whether the format is exactly as requested.
  public var isExact: Bool { differences.isEmpty }

  /// Text for a log: the format and its differences.
  public var description: String {
    isExact ? "\(format)" : "\(format) (\(differences.joined(separator: "; ")))"
  }
}

extension FormatFinder {
  /// The largest difference between two rates that count as the same, in frames a second; 29.97 and 30 differ by more.
  public static let rateTolerance = 0.01

  /// The best available format, and its differences from the request.
  /// - Returns: nil only if there is no format at all.
  public func choice(of formats: [CameraFormat]) -> FormatChoice? {
    best(of: formats).map { FormatChoice(format: $0, differences: differences(of: $0)) }
  }

  /// The format that is exactly as requested: the size, the rate to a hundredth of a frame, and log if requested.
  /// - Returns: nil if there is none; `choice(of:)` then gives the nearest.
  public func exact(of formats: [CameraFormat]) -> CameraFormat? {
    best(of: formats.filter { differences(of: $0).isEmpty })
  }

  private func differences(of format: CameraFormat) -> [String] {
    var differences: [String] = []
    if format.image.size != size { differences.append("requested \(size), nearest is \(format.image.size)") }
    let rate = format.frameInterval.framesPerSecond
    if abs(rate - framesPerSecond) > Self.rateTolerance {
      differences.append(
        "requested \(Self.text(framesPerSecond)) frames a second, nearest is \(Self.text(rate))")
    }
    if isLog, !format.isLog { differences.append("requested a log format, and the camera has none") }
    return differences
  }

  private static func text(_ rate: Double) -> String {
    rate == rate.rounded() && abs(rate) < 1e6 ? "\(Int(rate))" : "\((rate * 1000).rounded() / 1000)"
  }

  /// The sizes of the formats, the largest first, each once.
  public static func sizes(of formats: [CameraFormat]) -> [PixelSize] {
    Set(formats.map(\.image.size)).sorted { ($0.area, $0.width) > ($1.area, $1.width) }
  }
}

extension FrameInterval {
  /// Creates the interval that a person means by a rate: 23.976, 29.97 and 59.94 are 24, 30 and 60 times 1000/1001, exactly; whole rates are
  /// exact; any other rate is rounded to the thousandth.
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
