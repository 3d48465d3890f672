/// Whether there is a dock, and whether it follows something.
///
/// This enumeration is closed.
public enum DockStatus: String, Hashable, Sendable, Codable {
  /// No camera with motors is open.
  case disconnected
  /// There is one, and nothing is followed.
  case connected
  /// A subject is followed.
  case tracking
}

/// Who says what is followed.
///
/// This enumeration is closed.
public enum DockMode: String, Hashable, Sendable, Codable, CaseIterable {
  /// The most salient subject is followed.
  case system
  /// The subject that was chosen is followed.
  case custom
  /// Nothing is followed: the motors do what they are told.
  case manual
}

/// Where the subject is kept in the width of the picture. Its height is always the middle.
///
/// This enumeration is closed.
public enum DockFraming: String, Hashable, Sendable, Codable, CaseIterable {
  /// In the middle, as `center`.
  case auto
  /// In the middle.
  case center
  /// At a third of the width.
  case left
  /// At two thirds of the width.
  case right

  /// The place of the subject's centre, 0...1 of the width.
  public var place: Double {
    switch self {
    case .auto, .center: 0.5
    case .left: 1.0 / 3
    case .right: 2.0 / 3
    }
  }
}

/// What of the dock is switched on. All are off when a dock is connected, unless ``DockConfiguration/features`` says otherwise.
public enum DockFeature: String, Hashable, Sendable, Codable, CaseIterable {
  /// Subjects are looked for and followed.
  case tracking
  /// The search may be limited to a rectangle.
  case regionOfInterest
  /// The place in the picture may be chosen; otherwise it is the middle.
  case framing
  /// Movements with a name may be played.
  case animation
  /// A tap may choose a subject.
  case tapToTrack
  /// The state tells how long and how surely was followed.
  case summary
}

/// The battery of a dock.
public enum DockBattery: Hashable, Sendable {
  /// How full it is, 0...1, and whether it is being charged.
  case level(Double, isCharging: Bool)
  /// Why nothing is known of one, as a clause.
  case unsupported(String)
}

/// Something that may be followed.
public struct DockSubject: Hashable, Sendable, Codable {
  /// The same for the same subject, also when it was lost and found again.
  public var id: Int
  /// Where it is, in the upright picture; where it was last, while it is lost.
  public var rect: DockRect
  /// 0 while it is lost, to 1: the sharpness of the correlation's peak. See ``TrackingConfiguration``.
  public var confidence: Double
  /// 1 is the most salient.
  public var rank: Int
}

/// How well was followed since the dock was connected.
public struct DockSummary: Hashable, Sendable, Codable {
  /// Frames in which the followed subject was seen.
  public var seen = 0
  /// Frames in which it was not.
  public var missed = 0
  /// How often it was lost.
  public var losses = 0
}

/// All that a program shows of a dock.
public struct DockState: Hashable, Sendable {
  /// Whether there is one, and whether it follows something.
  public var status = DockStatus.disconnected
  /// What it is called; nil while it is disconnected.
  public var name: String?
  /// Its battery.
  public var battery = DockBattery.unsupported("no dock is connected")
  /// Who says what is followed.
  public var mode = DockMode.system
  /// Where the subject is kept.
  public var framing = DockFraming.auto
  /// Where subjects are looked for; nil for everywhere.
  public var regionOfInterest: DockRect?
  /// What may be followed, by rank. Empty while nothing is followed.
  public var subjects: [DockSubject] = []
  /// Which is followed, or waited for.
  public var selected: Int?
  /// How fast the motors are told to turn, in radians a second.
  public var motion = DockAngles.zero
  /// Where they are by reckoning, in radians; nil where that cannot be known. A device's own answer is not asked while it moves: it is late.
  public var position: DockAngles?
  /// Why the camera refused the last order to its motors; nil where it took it.
  public var refusal: String?
  /// What is switched on.
  public var features: Set<DockFeature> = []
  /// The movement that is being played.
  public var animation: String?
  /// The names of positions that were saved, in the order of the alphabet.
  public var presets: [String] = []
  /// How well was followed; nil unless the feature is on.
  public var summary: DockSummary?
  /// Why there is no dock, as a clause; nil while there is one.
  public var unsupported: String? = "no camera is open"

  /// Of no dock.
  public init() {}
}
