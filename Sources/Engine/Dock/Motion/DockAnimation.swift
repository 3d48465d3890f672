/// A movement with a name: places, one after the other, from where it begins, and back there.
public enum DockAnimation: String, Hashable, Sendable, CaseIterable {
  /// A nod.
  case yes
  /// A shake of the head.
  case no
  /// It looks up from below.
  case wakeup
  /// It starts.
  case kapow

  /// Radians from where it began; the last is where it began.
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

/// A way that the motors go by themselves.
struct DockJourney: Hashable, Sendable {
  /// Of an animation; nil on the way to a position that was saved.
  var name: String?
  var places: [DockAngles]
  /// It is given up then: a motor may be held.
  var ends: Double
}
