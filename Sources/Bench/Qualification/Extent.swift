/// Numbers of repetitions.
struct Extent: Sendable {
  /// Number of frames that are timed in each mode.
  var frames = 24
  var photos = 6
  /// Number of times that the session is sent to the background.
  var absences = 6
  var starts = 5
  var replugs = 2

  /// Numbers that suffice to show the effect of a fault.
  static let brief = Extent(frames: 14, photos: 2, absences: 4, starts: 3, replugs: 1)
}
