public import Imagery
import System

/// What a viewfinder shows over the picture for those who want to know: how the camera really is, as it was read from the device, and
/// how late the picture is.
///
/// A field that is nil is not known, or the camera has not the control; it is shown as "–".
public struct DebugOverlay: Hashable, Sendable, Codable {
  /// One line of the overlay.
  public struct Row: Hashable, Sendable, Codable {
    /// Such as `ISO`.
    public let label: String
    /// Such as `400`.
    public let text: String
  }

  /// Of the stored picture.
  public var resolution: PixelSize?
  /// Pictures shown a second, over the last second.
  public var framesPerSecond: Double?
  /// What recordings are encoded in.
  public var codec: String?
  /// Sensitivity, as ISO 12232 counts it.
  public var iso: Double?
  /// Colour temperature that is shown as white, in kelvin.
  public var whiteBalance: Double?
  /// −150 (green) to +150 (magenta).
  public var tint: Double?
  /// How long the sensor collects light, in seconds.
  public var exposureDuration: Double?
  /// The same as an angle of the frame interval, in degrees.
  public var shutterAngle: Double?
  /// What the automatic exposure is asked to add, in EV; done by the device or by the engine.
  public var exposureBias: Double?
  /// The device steadies the picture.
  public var isStabilized: Bool?
  /// How codes become colours, as the device reports it.
  public var color: ColorDescription?
  /// From the exposure to the surface, in milliseconds: the longest of the last second.
  public var latency: Double?

  /// Nothing known.
  public init() {}

  /// - Parameters:
  ///   - format: what the session's camera delivers.
  ///   - controls: the session's, as read from the device.
  ///   - pace: what the preview showed in the last second.
  ///   - codec: what recordings are encoded in.
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

  /// Every field as it is shown, in the order of the overlay.
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

  /// `1/50 (180.0°)`; from half a second on `0.5 s`.
  private func shutter(_ duration: Double) -> String {
    guard duration > 0, duration.isFinite else { return "–" }
    let time = duration < 0.4 ? "1/\(Self.fixed(1 / duration, 0))" : "\(Self.fixed(duration, 1)) s"
    return time + (shutterAngle.map { " (\(Self.fixed($0, 1))°)" } ?? "")
  }

  /// A number with so many digits after the point. Without Foundation, which the viewfinder does not link.
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
