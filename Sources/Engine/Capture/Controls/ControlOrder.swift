/// A command, and who is to be told what became of it.
struct ControlOrder: Sendable {
  /// Nil is none: somebody only looks at the state from now on.
  let command: ControlCommand?
  /// Called once, on whichever thread is done with it; must not block.
  let answer: @Sendable (ControlAnswer) -> Void

  init(_ command: ControlCommand, answer: @escaping @Sendable (ControlAnswer) -> Void) {
    self.command = command
    self.answer = answer
  }

  private init() { (command, answer) = (nil, { _ in }) }

  /// Somebody looks at the state from now on. It has no answer, since what is learnt is news for all: there is nobody who could wait for one.
  static let watch = ControlOrder()
}

/// What became of a command, and what holds since.
struct ControlAnswer: Sendable {
  var results: [CameraControlResult]
  var update: ControlsUpdate
}

/// The state of the controls; a greater number is a newer one.
struct ControlsUpdate: Sendable {
  var number: Int
  var state: ControlsState
}
