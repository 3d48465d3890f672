/// A command with a function that receives its answer.
struct ControlOrder: Sendable {
  /// The command; nil for an order that only watches the state from now on.
  let command: ControlCommand?
  /// Called once, on the thread that finishes the command; must not block.
  let answer: @Sendable (ControlAnswer) -> Void

  init(_ command: ControlCommand, answer: @escaping @Sendable (ControlAnswer) -> Void) {
    self.command = command
    self.answer = answer
  }

  private init() { (command, answer) = (nil, { _ in }) }

  /// An order to watch the state from now on. It gets no answer: the values that are read are published to all.
  static let watch = ControlOrder()
}

/// The answer to a command: its results and the state after it.
struct ControlAnswer: Sendable {
  var results: [CameraControlResult]
  var update: ControlsUpdate
}

/// A state of the controls; a greater number is newer.
struct ControlsUpdate: Sendable {
  var number: Int
  var state: ControlsState
}
