public import Imagery
public import System

/// Decides when to take a photo automatically: when the picture is steady enough to be read and shows something new.
///
/// During a pan, a photo is taken whenever a third of the view is new, so that every spine is whole in at least one photo. At rest, a smaller new
/// share is enough, and a change of the scene is always enough.
public struct AutomaticShutter: Sendable {
  /// The thresholds. The defaults suit a hand that pans along a shelf.
  public struct Settings: Sendable, Hashable {
    /// The fastest motion that is sharp enough, in views per second.
    public var speed = 0.4
    /// The duration for which the motion must have been below `speed`.
    public var steadiness = Duration.milliseconds(120)
    /// The new share of the view that triggers a photo in motion.
    public var newShare = 0.33
    /// The new share of the view that triggers a photo at rest.
    public var newShareAtRest = 0.08
    /// Below this speed the view counts as at rest, in views per second.
    public var restSpeed = 0.06
    /// The mean difference, 0…255, above which two pictures count as two scenes instead of one scene that moved.
    public var sceneChange = 12.0

    /// Creates the default thresholds.
    public init() {}
  }

  private let settings: Settings
  private var last: (profile: ViewProfile, time: MonotonicTime)?
  private var steadySince: MonotonicTime?
  private var isResting = false
  /// The shift of the view since the last photo. Nil before the first photo, and if tracking is lost.
  private var moved: (x: Double, y: Double)?

  /// Creates a shutter. It presses at the first steady picture.
  public init(_ settings: Settings = Settings()) { self.settings = settings }

  /// Examines the next picture, of at most 30 per second.
  /// - Parameters:
  ///   - luma: the picture in the format `grey`, a few hundred pixels wide.
  ///   - time: the time of its exposure.
  /// - Returns: whether to take a photo now.
  public mutating func note(_ luma: PixelBuffer, at time: MonotonicTime) -> Bool {
    guard let profile = ViewProfile(luma) else { return false }
    defer { last = (profile, time) }
    guard let last, time > last.time else {
      steadySince = time
      return false
    }
    let motion = ViewMotion(from: last.profile, to: profile)
    let seconds = (time - last.time) / .seconds(1)
    if motion.residual > settings.sceneChange {
      moved = nil
      steadySince = nil
    } else {
      moved = moved.map { ($0.x + motion.x, $0.y + motion.y) }
    }
    let speed = motion.distance / seconds
    if speed > settings.speed || motion.residual > settings.sceneChange { steadySince = nil }
    if steadySince == nil, speed <= settings.speed, motion.residual <= settings.sceneChange {
      steadySince = time
    }
    isResting = speed <= settings.restSpeed
    guard let steadySince, time - steadySince >= settings.steadiness else { return false }
    return isNew
  }

  /// Notes that a photo was taken. The new share is measured from here.
  public mutating func notePress() { moved = (0, 0) }

  /// Notes that no photo could be taken. The view still counts as new.
  public mutating func noteRefusal() { moved = nil }

  private var isNew: Bool {
    guard let moved else { return true }
    let share = max(abs(moved.x), abs(moved.y))
    return share >= (isResting ? settings.newShareAtRest : settings.newShare)
  }
}
