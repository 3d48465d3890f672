package import Capture
import Imagery
package import System

/// A state, and the time when it was published.
package struct StateMark: Sendable {
  package let state: SessionState
  package let time: MonotonicTime

  package init(state: SessionState, time: MonotonicTime) {
    self.state = state
    self.time = time
  }

  package var isInterruption: Bool { if case .interrupted = state { true } else { false } }
}

/// All states that a session publishes, with the times at which they were received.
package final class StateLog: Sendable {
  private let marks: Collected<StateMark>
  private let listener: Task<Void, Never>

  /// Listens from now on, until the session is stopped.
  package init(of session: CaptureSession) async {
    let (states, marks) = (await session.states(), Collected<StateMark>())
    self.marks = marks
    listener = Task {
      for await state in states { marks.add(StateMark(state: state, time: .now())) }
    }
  }

  /// The marks, in the order of publication.
  package var all: [StateMark] { marks.all }

  /// Returns the first interruption published after the first `count` states.
  package func interruption(after count: Int) -> StateMark? {
    Self.interruption(in: all, after: count)
  }

  /// Waits for the first interruption after the first `count` states. Nil if none is published within `limit`.
  package func interruption(after count: Int, within limit: Duration) async -> StateMark? {
    let deadline = MonotonicTime.now() + limit
    while MonotonicTime.now() < deadline {
      if let mark = interruption(after: count) { return mark }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  /// Waits until the last state was received. The states end when the session is stopped, so call this after that.
  package func finish() async { await listener.value }

  package static func interruption(in marks: [StateMark], after count: Int) -> StateMark? {
    marks.dropFirst(count).first(where: \.isInterruption)
  }
}
