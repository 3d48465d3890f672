/// What a photo's file says of how it came about (EXIF): never where, by whom, nor with which single device. There is no place for a
/// position, an owner, a serial number or the name of a file or machine.
///
/// A value that is nil is not written.
public struct PhotoMetadata: Hashable, Sendable, Codable {
  /// When the exposure began.
  public var time: CivilTime?
  /// Who made the camera. Of this and `model` at most 63 printable ASCII characters are written.
  public var make: String?
  /// What the camera is called.
  public var model: String?
  /// How long the sensor collected light, in seconds, above zero.
  public var exposureDuration: Double?
  /// Sensitivity, as ISO 12232 counts it, 1...65535.
  public var iso: Double?
  /// What the automatic exposure was asked to add, in EV.
  public var exposureBias: Double?
  /// Whether the exposure was set by hand.
  public var isExposureManual: Bool?
  /// Whether white was set by hand.
  public var isWhiteBalanceManual: Bool?
  /// How much the picture was cropped beyond what the lens showed; 1 is nothing.
  public var digitalZoom: Double?

  /// Nothing known.
  public init() {}
}
