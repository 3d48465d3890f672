/// How subjects are tracked.
public struct TrackingConfiguration: Hashable, Sendable {
  /// Samples along a side of the window that is correlated: 32, 64 or 128. More is slower, and finer for large subjects.
  public var window = 128
  /// The longer side of the pictures that are looked at, in pixels. Frames that are smaller are not enlarged.
  public var longSide = 640
  /// So many are tracked at once, 1...8.
  public var mostSubjects = 4
  /// Below this peak-to-sidelobe ratio a subject is not seen. Bolme and others found 20 to 60 for one that is, and about 7 for one that
  /// is hidden.
  public var lostBelow = 7.5
  /// So many frames without being seen make it lost: it is then looked for everywhere.
  public var patience = 3
  /// A lost subject is given up after so many seconds, unless it was chosen.
  public var forgetsAfter = 5.0
  /// Seconds from one look for new subjects to the next.
  public var looksEvery = 0.5

  /// What suits pictures of 30 a second.
  public init() {}

  /// Within what it may be.
  var bounded: TrackingConfiguration {
    var bounded = self
    bounded.window = window >= 128 ? 128 : window >= 64 ? 64 : 32
    bounded.longSide = min(max(longSide, 64), 1920)
    bounded.mostSubjects = min(max(mostSubjects, 1), 8)
    return bounded
  }
}
