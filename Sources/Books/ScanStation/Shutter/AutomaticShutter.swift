public import Imagery
public import System

/// When the shutter presses itself: the picture is steady enough to be read, and shows something new.
///
/// A pan is photographed each time a third of the view is new, so that every spine is whole in one photo at least; when it comes to
/// rest, also for less; and when something else came before the camera.
public struct AutomaticShutter: Sendable {
  /// When it presses. The defaults are those of a hand that pans along a shelf.
  public struct Settings: Sendable, Hashable {
    /// Fastest motion that is sharp enough, views a second.
    public var speed = 0.4
    /// For how long it must have been no faster.
    public var steadiness = Duration.milliseconds(120)
    /// The share of the view that is new.
    public var newShare = 0.33
    /// The same at rest …
    public var newShareAtRest = 0.08
    /// … which is slower than this, views a second.
    public var restSpeed = 0.06
    /// Pictures that differ by more, of 255, do not show the same scene moved.
    public var sceneChange = 12.0

    /// The defaults.
    public init() {}
  }

  private let settings: Settings
  private var last: (profile: ViewProfile, time: MonotonicTime)?
  private var steadySince: MonotonicTime?
  private var isResting = false
  /// Of the view since the last photo; nil before the first, and when it is lost.
  private var moved: (x: Double, y: Double)?

  /// A shutter that has seen nothing yet: it presses at the first steady picture.
  public init(_ settings: Settings = Settings()) { self.settings = settings }

  /// Looks at the next picture, of at most 30 a second.
  /// - Parameters:
  ///   - luma: in the format `grey`, a few hundred pixels wide.
  ///   - time: of its exposure.
  /// - Returns: whether to press now.
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

  /// The shutter was pressed: what is new is counted from here.
  public mutating func notePress() { moved = (0, 0) }

  /// The press came to nothing: it is still new.
  public mutating func noteRefusal() { moved = nil }

  private var isNew: Bool {
    guard let moved else { return true }
    let share = max(abs(moved.x), abs(moved.y))
    return share >= (isResting ? settings.newShareAtRest : settings.newShare)
  }
}
