package import Capture
import Imagery
package import System

/// A state, and when it was published.
package struct StateMark: Sendable {
  package let state: SessionState
  package let time: MonotonicTime

  package init(state: SessionState, time: MonotonicTime) {
    self.state = state
    self.time = time
  }

  package var isInterruption: Bool { if case .interrupted = state { true } else { false } }
}

/// Every state that a session publishes, with the time at which it was heard.
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

  /// In the order in which they were published.
  package var all: [StateMark] { marks.all }

  /// The first interruption published after the first `count` states.
  package func interruption(after count: Int) -> StateMark? {
    Self.interruption(in: all, after: count)
  }

  /// The same, waited for; nil when none is published within `limit`.
  package func interruption(after count: Int, within limit: Duration) async -> StateMark? {
    let deadline = MonotonicTime.now() + limit
    while MonotonicTime.now() < deadline {
      if let mark = interruption(after: count) { return mark }
      try? await Task.sleep(for: .milliseconds(2))
    }
    return nil
  }

  /// Waits until the last state was heard. To be called when the session was stopped: otherwise it waits for that.
  package func finish() async { await listener.value }

  package static func interruption(in marks: [StateMark], after count: Int) -> StateMark? {
    marks.dropFirst(count).first(where: \.isInterruption)
  }
}
