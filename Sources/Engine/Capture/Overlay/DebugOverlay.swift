public import Imagery
import System

/// The technical data that a viewfinder shows over the picture: the camera's real settings, as read from the device, and
/// the latency of the picture.
///
/// A value is nil if it is unknown, or if the camera lacks the control; it is then shown as "–".
public struct DebugOverlay: Hashable, Sendable, Codable {
  /// One line of the overlay.
  public struct Row: Hashable, Sendable, Codable {
    /// The name, such as `ISO`.
    public let label: String
    /// The value, such as `400`.
    public let text: String
  }

  /// The size of the stored picture.
  public var resolution: PixelSize?
  /// The rate of shown pictures, over the last second.
  public var framesPerSecond: Double?
  /// The codec of recordings.
  public var codec: String?
  /// The sensitivity by ISO 12232.
  public var iso: Double?
  /// The colour temperature that is shown as white, in kelvin.
  public var whiteBalance: Double?
  /// The tint, from −150 (green) to +150 (magenta).
  public var tint: Double?
  /// The exposure time, in seconds.
  public var exposureDuration: Double?
  /// The exposure time as an angle of the frame interval, in degrees.
  public var shutterAngle: Double?
  /// The exposure bias of the device or of the engine, in EV.
  public var exposureBias: Double?
  /// Whether the device stabilizes the picture.
  public var isStabilized: Bool?
  /// The relation of codes to colours, as the device reports it.
  public var color: ColorDescription?
  /// The longest time from the exposure to the surface in the last second, in milliseconds.
  public var latency: Double?

  /// Creates an overlay without data.
  public init() {}

  /// - Parameters:
  ///   - format: the format that the session's camera delivers.
  ///   - controls: the session's controls, as read from the device.
  ///   - pace: the pace of the preview in the last second.
  ///   - codec: the codec of recordings.
  public init(
    format: CameraFormat?, controls: ControlsState, pace: PreviewPace.Reading?, codec: String? = nil
  ) {
    resolution = format?.image.size
    color = format?.image.color
    framesPerSecond = pace?.framesPerSecond
    latency = pace?.slowest.milliseconds
    self.codec = codec
    let values = controls.values
    iso = values[.iso]?.number
    whiteBalance = values[.whiteBalanceTemperature]?.number
    tint = values[.tint]?.number
    exposureDuration = values[.exposureDuration]?.number
    exposureBias = values[.exposureBias]?.number
    if exposureBias == nil, controls.digitalExposureBias != 0 { exposureBias = controls.digitalExposureBias }
    isStabilized = values[.stabilization]?.flag
    if let exposureDuration, let interval = format?.frameInterval {
      shutterAngle = 360 * exposureDuration * interval.framesPerSecond
    }
  }

  /// The lines of the overlay, in order.
  public var rows: [Row] {
    [
      row("Resolution", resolution.map(\.description)),
      row("FPS", framesPerSecond.map { Self.fixed($0, 2) }),
      row("Codec", codec),
      row("ISO", iso.map { Self.fixed($0, 0) }),
      row("WB", whiteBalance.map { "\(Self.fixed($0, 0))K" }),
      row("Tint", tint.map { Self.fixed($0, 1) }),
      row("Shutter", exposureDuration.map(shutter)),
      row("EV", exposureBias.map { Self.fixed($0, 1) }),
      row("Stabilization", isStabilized.map { $0 ? "On" : "Off" }),
      row("Color", color.map { "\(Self.names[$0.matrix] ?? $0.matrix.rawValue) \($0.range.rawValue)" }),
      row("Latency", latency.map { "\(Self.fixed($0, 1)) ms" }),
    ]
  }

  private static let names: [ColorMatrix: String] = [
    .bt601: "BT.601", .bt709: "BT.709", .bt2020: "BT.2020",
  ]

  private func row(_ label: String, _ text: String?) -> Row { Row(label: label, text: text ?? "–") }

  /// The text of an exposure time: `1/50 (180.0°)`; from 0.4 s on, such as `0.5 s`.
  private func shutter(_ duration: Double) -> String {
    guard duration > 0, duration.isFinite else { return "–" }
    let time = duration < 0.4 ? "1/\(Self.fixed(1 / duration, 0))" : "\(Self.fixed(duration, 1)) s"
    return time + (shutterAngle.map { " (\(Self.fixed($0, 1))°)" } ?? "")
  }

  /// A number with `digits` digits after the point. Without Foundation, which the viewfinder does not link.
  private static func fixed(_ number: Double, _ digits: Int) -> String {
    guard number.isFinite, abs(number) < 1e12 else { return "–" }
    let unit = [1, 10, 100][min(max(digits, 0), 2)]
    let scaled = Int((abs(number) * Double(unit)).rounded())
    let sign = number < 0 && scaled > 0 ? "-" : ""
    guard unit > 1 else { return "\(sign)\(scaled)" }
    let rest = "\(scaled % unit)"
    return "\(sign)\(scaled / unit).\(String(repeating: "0", count: digits - rest.utf8.count))\(rest)"
  }
}
