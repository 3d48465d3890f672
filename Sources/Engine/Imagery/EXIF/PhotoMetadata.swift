/// The metadata of a photo (EXIF): never a position, an owner, a serial number, or the name of a file or
/// machine; there are no properties for these.
///
/// A value that is nil is not written.
public struct PhotoMetadata: Hashable, Sendable, Codable {
  /// The time when the exposure began.
  public var time: CivilTime?
  /// The maker of the camera. At most 63 printable ASCII characters are written.
  public var make: String?
  /// The name of the camera. At most 63 printable ASCII characters are written.
  public var model: String?
  /// The exposure time in seconds, above zero.
  public var exposureDuration: Double?
  /// The sensitivity by ISO 12232, 1...65535.
  public var iso: Double?
  /// The requested exposure bias of automatic exposure, in EV.
  public var exposureBias: Double?
  /// Whether the exposure was manual.
  public var isExposureManual: Bool?
  /// Whether the white balance was manual.
  public var isWhiteBalanceManual: Bool?
  /// The factor by which the picture was cropped; 1 is no crop.
  public var digitalZoom: Double?

  /// Creates metadata without values.
  public init() {}
}
