/// One subject from frame to frame: its place, its size, its confidence, and whether it is lost.
struct SubjectTrack {
  /// The ratio between two sizes of the subject that are tried.
  private static let scaleStep = 1.04

  let id: Int
  private(set) var rect: DockRect
  /// The peak-to-sidelobe ratio of the latest search.
  private(set) var sharpness = 0.0
  /// The number of consecutive frames in which the subject was not seen.
  private(set) var unseen = 0
  /// The time when the subject was last seen, in seconds of the frames' times.
  private(set) var lastSeen: Double
  var saliency: Double
  private var filter: CorrelationFilter
  /// A small template of the subject's appearance when it was last seen with certainty, for searching the whole picture.
  private(set) var template: SearchTemplate
  /// The subject's own motion from frame to frame, without the camera's, in shares of the picture.
  private var drift = DockPoint(x: 0, y: 0)
  private var looksLarger = true
  private let configuration: TrackingConfiguration

  init(
    id: Int, rect: DockRect, saliency: Double, in picture: LumaPicture, at time: Double,
    transform: FourierTransform, configuration: TrackingConfiguration
  ) {
    self.id = id
    self.rect = rect
    self.saliency = saliency
    lastSeen = time
    self.configuration = configuration
    filter = CorrelationFilter(transform, subject: rect, in: picture)
    template = SearchTemplate(rect, in: picture)
    sharpness = filter.find(rect, in: picture).sharpness
  }

  var isLost: Bool { unseen >= configuration.patience }
  /// The confidence: 0 while the subject is not seen; otherwise a twentieth of the peak-to-sidelobe ratio, at most 1.
  var confidence: Double { unseen > 0 ? 0 : min(max(sharpness / 20, 0), 1) }

  /// Looks for the subject at its expected place.
  /// - Parameter shift: the shift of the picture by the camera's own motion since the last frame, in shares of the picture.
  mutating func follow(_ picture: LumaPicture, at time: Double, shift: DockPoint) {
    let expected = rect.moved(x: shift.x + drift.x, y: shift.y + drift.y)
    let peak = filter.find(expected, in: picture)
    sharpness = peak.sharpness
    guard peak.sharpness >= configuration.lostBelow else { return miss(shift) }
    let found = expected.moved(x: peak.x * expected.width, y: peak.y * expected.height)
    let moved = DockPoint(
      x: found.center.x - rect.center.x - shift.x, y: found.center.y - rect.center.y - shift.y)
    drift = DockPoint(x: (drift.x + moved.x) / 2, y: (drift.y + moved.y) / 2)
    see(found, picture, time: time)
  }

  private mutating func miss(_ shift: DockPoint) {
    unseen += 1
    // The subject is expected to continue its motion until it counts as lost and is searched in the whole picture.
    if !isLost { rect = rect.moved(x: shift.x + drift.x, y: shift.y + drift.y) }
    drift = DockPoint(x: drift.x / 2, y: drift.y / 2)
  }

  private mutating func see(_ found: DockRect, _ picture: LumaPicture, time: Double) {
    rect = rescaled(found, picture)
    unseen = 0
    lastSeen = time
    guard sharpness > configuration.lostBelow * 1.2 else { return }
    filter.learn(rect, in: picture, rate: 0.1)
    if sharpness > configuration.lostBelow * 2 { template = SearchTemplate(rect, in: picture) }
  }

  /// Tries a slightly larger size and a slightly smaller one in turn, one for each frame.
  private mutating func rescaled(_ found: DockRect, _ picture: LumaPicture) -> DockRect {
    let step = looksLarger ? Self.scaleStep : 1 / Self.scaleStep
    looksLarger.toggle()
    let size = (width: found.width * step, height: found.height * step)
    let isSensible = size.width * Double(picture.width) >= 12 && size.height * Double(picture.height) >= 12
    guard isSensible, size.width <= 0.8, size.height <= 0.8,
      filter.find(found, in: picture, scale: step).sharpness > sharpness * 1.05
    else { return found }
    // Take half of the step, so that noise in one frame does not change the size.
    let factor = (1 + step) / 2
    return DockRect(center: found.center, width: found.width * factor, height: found.height * factor)
  }

  /// Checks whether the subject is at `place`, which its template found. If it is, tracking continues at this place.
  mutating func resume(at place: DockRect, _ picture: LumaPicture, at time: Double) -> Bool {
    let peak = filter.find(place, in: picture)
    guard peak.sharpness >= configuration.lostBelow * 1.1, abs(peak.x) < 0.5, abs(peak.y) < 0.5 else {
      return false
    }
    rect = place.moved(x: peak.x * place.width, y: peak.y * place.height)
    sharpness = peak.sharpness
    unseen = 0
    lastSeen = time
    drift = DockPoint(x: 0, y: 0)
    return true
  }
}
