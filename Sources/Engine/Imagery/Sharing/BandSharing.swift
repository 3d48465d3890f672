import Glibc
import System

/// Work that is split into bands, which may run at any time and on either of two threads.
protocol BandWork: Sendable {
  func perform(_ band: Int, on thread: BandThread)
}

/// The thread that processes a band; each may have memory of its own.
enum BandThread: Int {
  case caller = 0
  case helper = 1
}

/// Runs work on two threads: the caller's, and a helper that begins with the first work and ends with this object or with `rest()`. Both take
/// bands as long as there are any, so a helper that gets no processor time delays only its own band. One thread at a time.
final class BandSharing<Work: BandWork> {
  private struct State: Sendable {
    var work: Work?
    var count = 0
    var next = 0
    /// Whether the helper is processing a band.
    var isHelping = false
    var isEnding = false
    /// The processor time of the helper.
    var helped = Duration.zero
  }

  private enum Order {
    case band(Work, Int)
    case end
  }

  private let name: String
  private let state = Locked(State())
  private var helper: NamedThread?

  /// - Parameter name: the name of the helper; at most 15 bytes are kept.
  init(name: String) { self.name = name }

  deinit { rest() }

  /// The processor time of all helpers so far.
  var helped: Duration { state.withLock { $0.helped } }

  /// Processes bands 0 … `count` − 1, each once, and returns when the last is done.
  /// - Parameter isShared: whether both threads process the bands; if false, the calling thread processes all of them.
  func run(_ work: Work, count: Int, isShared: Bool = true) {
    guard isShared, count > 1, Processors.online > 1, hasHelper() else {
      for band in 0..<count { work.perform(band, on: .caller) }
      return
    }
    state.withLock { ($0.work, $0.count, $0.next) = (work, count, 0) }
    state.notify()
    while let band = state.withLock({ Self.takeBand(&$0) }) { work.perform(band, on: .caller) }
    state.wait { $0.isHelping ? nil : () }
  }

  /// Ends the helper; the next work starts another. Must not be called while `run` runs.
  func rest() {
    guard let helper else { return }
    state.withLock { $0.isEnding = true }
    state.notify()
    helper.join()
    self.helper = nil
    state.withLock { $0.isEnding = false }
  }

  /// Starts the helper if needed; returns false if the process may have no more threads. The helper has its caller's priority, for a preview or
  /// a recording, because Linux gives a thread the scheduling of the thread that starts it.
  private func hasHelper() -> Bool {
    if helper != nil { return true }
    let state = state
    helper = try? NamedThread(name: name) {
      while case .band(let work, let band) = Self.wait(state) {
        let began = ProcessorTime.ofThread()
        work.perform(band, on: .helper)
        let spent = ProcessorTime.ofThread() - began
        state.withLock {
          $0.isHelping = false
          $0.helped += spent
        }
        state.notify()
      }
    }
    return helper != nil
  }

  private static func wait(_ state: Locked<State>) -> Order {
    state.wait { state in
      if state.isEnding { return .end }
      guard let work = state.work, let band = takeBand(&state) else { return nil }
      state.isHelping = true
      return .band(work, band)
    }
  }

  /// Takes the next band. If none is left, returns nil and releases the work.
  private static func takeBand(_ state: inout State) -> Int? {
    guard state.work != nil, state.next < state.count else {
      state.work = nil
      return nil
    }
    defer { state.next += 1 }
    return state.next
  }
}

enum Processors {
  static let online = sysconf(Int32(_SC_NPROCESSORS_ONLN))
}
