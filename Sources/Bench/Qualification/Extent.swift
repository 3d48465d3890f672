/// How much is measured.
struct Extent: Sendable {
  /// Frames that are timed in each mode.
  var frames = 24
  var photos = 6
  /// Times that the session is sent to the background.
  var absences = 6
  var starts = 5
  var replugs = 2

  /// Enough to see what a fault breaks.
  static let brief = Extent(frames: 14, photos: 2, absences: 4, starts: 3, replugs: 1)
}
