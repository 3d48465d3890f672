import Imagery
import System

/// A focus that was asked for, until it is continuous again or locked: a value.
///
/// A tap focuses once at its point, and continuously 0.1 s after that was reached. A lock goes through `continuous`, `single` and
/// `locked`, in this order, and is locked when the focus was reached, or when its time is over, which it then says.
struct FocusRun: Sendable {
  /// What is to be set on the device.
  enum Action: Hashable, Sendable {
    case focusContinuously, lock
  }

  let locks: Bool
  private(set) var state: FocusState
  private let began: MonotonicTime
  private var reached: MonotonicTime?
  private var lastPosition: (value: Double, since: MonotonicTime)?

  /// A focus that takes longer is not reached.
  static let patience = Duration.seconds(2)
  /// A lens of a device that tells no status has arrived when it did not move for so long.
  static let stillness = Duration.milliseconds(300)
  /// From a focus that was reached to continuous focus.
  static let afterTap = Duration.milliseconds(100)
  /// Between two looks at the device.
  static let looking = Duration.milliseconds(50)

  init(locks: Bool, at time: MonotonicTime) {
    self.locks = locks
    began = time
    state = locks ? .single : .focusing
  }

  /// Looks at what the device tells.
  /// - Parameters:
  ///   - status: of `focus-status`, nil where the device has none.
  ///   - position: of `lens-position`, nil where it has none.
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
      // The first status may still belong to the focus run before.
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
