/// The configuration of the tracker.
public struct TrackingConfiguration: Hashable, Sendable {
  /// The number of samples along a side of the correlation window: 32, 64 or 128. More is slower, but finer for large subjects.
  public var window = 128
  /// The long side of the analysed pictures, in pixels. Smaller frames are not enlarged.
  public var longSide = 640
  /// The largest number of tracked subjects, 1...8.
  public var mostSubjects = 4
  /// The peak-to-sidelobe ratio below which a subject counts as not seen. Bolme and others found 20 to 60 for a visible subject, and about 7 for a
  /// hidden one.
  public var lostBelow = 7.5
  /// The number of frames without the subject after which it counts as lost and is searched in the whole picture.
  public var patience = 3
  /// The time in seconds after which a lost subject is forgotten, unless it was chosen.
  public var forgetsAfter = 5.0
  /// The time between two searches for new subjects, in seconds.
  public var looksEvery = 0.5

  /// Creates a configuration for 30 frames a second.
  public init() {}

  /// The configuration with values clamped to their ranges.
  var bounded: TrackingConfiguration {
    var bounded = self
    bounded.window = window >= 128 ? 128 : window >= 64 ? 64 : 32
    bounded.longSide = min(max(longSide, 64), 1920)
    bounded.mostSubjects = min(max(mostSubjects, 1), 8)
    return bounded
  }
}
