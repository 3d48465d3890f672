/// A named movement: a series of positions relative to the position at its beginning, to which it returns.
public enum DockAnimation: String, Hashable, Sendable, CaseIterable {
  /// A nod.
  case yes
  /// A shake of the head.
  case no
  /// A look up from below.
  case wakeup
  /// A jerk, as if surprised.
  case kapow

  /// The positions in radians relative to that at the beginning; the last one is 0, 0.
  var places: [DockAngles] {
    switch self {
    case .yes: Self.tilts(-0.15, 0.1, -0.15, 0.1, 0)
    case .no: Self.pans(-0.2, 0.2, -0.2, 0.2, 0)
    case .wakeup: Self.tilts(-0.35, -0.25, -0.35, 0.1, 0)
    case .kapow: [DockAngles(pan: 0.3, tilt: 0.15), DockAngles(pan: -0.1, tilt: -0.05), .zero]
    }
  }

  private static func tilts(_ tilts: Double...) -> [DockAngles] { tilts.map { DockAngles(pan: 0, tilt: $0) } }
  private static func pans(_ pans: Double...) -> [DockAngles] { pans.map { DockAngles(pan: $0, tilt: 0) } }
}

/// A movement of the motors through a series of places.
struct DockJourney: Hashable, Sendable {
  /// The name of an animation; nil on the way to a saved position.
  var name: String?
  var places: [DockAngles]
  /// The time at which the movement is abandoned, because a motor may be blocked.
  var ends: Double
}
