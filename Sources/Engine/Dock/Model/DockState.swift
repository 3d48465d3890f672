/// The connection of a dock, and whether it follows a subject.
///
/// This enumeration is closed.
public enum DockStatus: String, Hashable, Sendable, Codable {
  /// No camera with motors is open.
  case disconnected
  /// A camera with motors is open, and no subject is followed.
  case connected
  /// A subject is followed.
  case tracking
}

/// The way of choosing the followed subject.
///
/// This enumeration is closed.
public enum DockMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The most salient subject is followed.
  case system
  /// The subject that was chosen by command is followed.
  case custom
  /// No subject is followed: the motors execute commands.
  case manual
}

/// The horizontal place of the subject in the picture. Vertically it is always in the middle.
///
/// This enumeration is closed.
public enum DockFraming: String, Hashable, Sendable, Codable, CaseIterable {
  /// In the middle, like `center`.
  case auto
  /// In the middle.
  case center
  /// At a third of the width.
  case left
  /// At two thirds of the width.
  case right

  /// The horizontal place of the subject's centre, 0...1.
  public var place: Double {
    switch self {
    case .auto, .center: 0.5
    case .left: 1.0 / 3
    case .right: 2.0 / 3
    }
  }
}

/// The features of a dock. All are off when a dock is connected, unless ``DockConfiguration/features`` says otherwise.
public enum DockFeature: String, Hashable, Sendable, Codable, CaseIterable {
  /// Subjects are tracked and followed.
  case tracking
  /// The search may be limited to a rectangle.
  case regionOfInterest
  /// The place of the subject in the picture may be chosen; otherwise it is the middle.
  case framing
  /// Named movements may be played.
  case animation
  /// A tap may choose a subject.
  case tapToTrack
  /// The state reports how long and how reliably subjects were followed.
  case summary
}

/// The battery of a dock.
public enum DockBattery: Hashable, Sendable {
  /// The charge, 0...1, and whether the battery is charging.
  case level(Double, isCharging: Bool)
  /// The reason why no battery is known, as a clause.
  case unsupported(String)
}

/// A subject that may be followed.
public struct DockSubject: Hashable, Sendable, Codable {
  /// A number that stays the same for a subject, even after it was lost and found again.
  public var id: Int
  /// The place of the subject in the upright picture; its last known place while it is lost.
  public var rect: DockRect
  /// The confidence, from 0 while the subject is lost to 1: the sharpness of the correlation's peak. See ``TrackingConfiguration``.
  public var confidence: Double
  /// The rank by saliency; 1 is the most salient.
  public var rank: Int
}

/// A measure of how well subjects were followed since the dock was connected.
public struct DockSummary: Hashable, Sendable, Codable {
  /// The number of frames in which the followed subject was seen.
  public var seen = 0
  /// The number of frames in which the followed subject was not seen.
  public var missed = 0
  /// The number of times that the followed subject was lost.
  public var losses = 0
}

/// The complete state of a dock, for display.
public struct DockState: Hashable, Sendable {
  /// The connection, and whether a subject is followed.
  public var status = DockStatus.disconnected
  /// The name of the camera; nil while disconnected.
  public var name: String?
  /// The battery of the dock.
  public var battery = DockBattery.unsupported("no dock is connected")
  /// The way of choosing the followed subject.
  public var mode = DockMode.system
  /// The place of the subject in the picture.
  public var framing = DockFraming.auto
  /// The rectangle in which subjects are looked for; nil for the whole picture.
  public var regionOfInterest: DockRect?
  /// The tracked subjects, by rank. Empty while no subject is followed.
  public var subjects: [DockSubject] = []
  /// The id of the followed subject, even while it is lost and may come back; nil if there is none.
  public var selected: Int?
  /// The ordered speed of the motors, in radians a second.
  public var motion = DockAngles.zero
  /// The computed position of the motors, in radians; nil if it cannot be known. The position
  /// that the device reports is not used during a motion, because it is late.
  public var position: DockAngles?
  /// The reason why the camera refused the last order to its motors; nil if the camera accepted the order.
  public var refusal: String?
  /// The features that are on.
  public var features: Set<DockFeature> = []
  /// The movement that is being played; nil if there is none.
  public var animation: String?
  /// The names of the saved positions, in the order of their bytes in UTF-8.
  public var presets: [String] = []
  /// The summary of how well subjects were followed; nil unless the feature `summary` is on.
  public var summary: DockSummary?
  /// The reason why there is no dock, as a clause; nil while there is one.
  public var unsupported: String? = "no camera is open"

  /// Creates the state without a dock.
  public init() {}
}
