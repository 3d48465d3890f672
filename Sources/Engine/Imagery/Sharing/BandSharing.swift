import Glibc
import System

/// Work that can be done in bands, each at any time and on either of two threads.
protocol BandWork: Sendable {
  func perform(_ band: Int, on thread: BandThread)
}

/// Which of the two threads does a band: each may have memory of its own.
enum BandThread: Int {
  case caller = 0
  case helper = 1
}

/// Does work on two threads: the caller's, and one more that begins with the first work and ends with this object or with `rest()`. Both take
/// bands as long as there are any, so that a helper which gets no processor holds nothing up but its own band. One thread at a time.
final class BandSharing<Work: BandWork> {
  private struct State: Sendable {
    var work: Work?
    var count = 0
    var next = 0
    /// The helper works on a band.
    var isHelping = false
    var isEnding = false
    /// What the helper has spent.
    var helped = Duration.zero
  }

  private enum Order {
    case band(Work, Int)
    case end
  }

  private let name: String
  private let state = Locked(State())
  private var helper: NamedThread?

  /// - Parameter name: of the helper; at most 15 bytes are kept.
  init(name: String) { self.name = name }

  deinit { rest() }

  /// Processor time of all helpers so far.
  var helped: Duration { state.withLock { $0.helped } }

  /// Does bands 0 … `count` − 1, each once, and returns when the last is done.
  /// - Parameter isShared: false does all of them here.
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

  /// Ends the helper; the next work begins another. Not while `run` runs.
  func rest() {
    guard let helper else { return }
    state.withLock { $0.isEnding = true }
    state.notify()
    helper.join()
    self.helper = nil
    state.withLock { $0.isEnding = false }
  }

  /// A process that may have no more threads does the work on one. The helper is as urgent as its caller, perhaps a preview or a recording:
  /// Linux gives a thread the scheduling of the one that begins it.
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

  /// Nil, and the work forgotten, when no band is left.
  private static func takeBand(_ state: inout State) -> Int? {
    guard state.work != nil, state.next < state.count else {
      state.work = nil
      return nil
    }
    defer { state.next += 1 }
    return state.next
  }
}

/// The processors that this machine has.
enum Processors {
  static let online = sysconf(Int32(_SC_NPROCESSORS_ONLN))
}
