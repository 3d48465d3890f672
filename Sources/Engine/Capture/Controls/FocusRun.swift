import System

/// The course of a focus request, as a value, until the focus is continuous again or locked.
///
/// A tap focuses once at its point, and switches to continuous focus 0.1 s after the focus was reached. A lock goes through `continuous`,
/// `single` and `locked`, in this order. It ends when the focus was reached, or when its time is over, which the state then shows.
struct FocusRun: Sendable {
  /// The next setting for the device.
  enum Action: Hashable, Sendable {
    case focusContinuously, lock
  }

  let locks: Bool
  private(set) var state: FocusState
  private let began: MonotonicTime
  private var reached: MonotonicTime?
  private var lastPosition: (value: Double, since: MonotonicTime)?

  /// The time after which a focus counts as not reached.
  static let patience = Duration.seconds(2)
  /// The time without movement after which the lens of a device without a focus status counts as arrived.
  static let stillness = Duration.milliseconds(300)
  /// The time from a reached focus to continuous focus.
  static let afterTap = Duration.milliseconds(100)
  /// The time between two looks at the device.
  static let looking = Duration.milliseconds(50)

  init(locks: Bool, at time: MonotonicTime) {
    self.locks = locks
    began = time
    state = locks ? .single : .focusing
  }

  /// Evaluates the device's status.
  /// - Parameters:
  ///   - status: the value of `focus-status`; nil if the device has none.
  ///   - position: the value of `lens-position`; nil if the device has none.
  mutating func look(status: String?, position: Double?, at time: MonotonicTime) -> Action? {
    guard state == .focusing || state == .single else { return nil }
    note(status, position, time: time)
    let isOver = time - began >= Self.patience
    if locks {
      guard reached != nil || isOver else { return nil }
      state = reached != nil ? .locked : .lockedUnreached
      return .lock
    }
    guard reached.map({ time - $0 >= Self.afterTap }) ?? isOver else { return nil }
    state = .continuous
    return .focusContinuously
  }

  private mutating func note(_ status: String?, _ position: Double?, time: MonotonicTime) {
    guard reached == nil else { return }
    if let status {
      // The first status may still belong to the previous focus run.
      if status == "reached", time - began >= Self.looking { reached = time }
      return
    }
    guard let position else { return }
    if let last = lastPosition, last.value == position {
      if time - last.since >= Self.stillness { reached = time }
    } else {
      lastPosition = (position, time)
    }
  }
}
