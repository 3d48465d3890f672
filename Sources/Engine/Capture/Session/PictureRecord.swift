import Imagery
import Log
import System

/// What an output made of a frame.
enum PictureVerdict: Sendable {
  case decoded
  /// The output had no use for it, or no memory: that says nothing about the picture.
  case untried
  case undecodable(String)

  init(_ error: ImageError) {
    switch error {
    case .corrupt, .truncated, .unrecognised, .unsupported, .tooLarge: self = .undecodable("\(error)")
    case .budgetUnattainable, .outOfMemory, .encodingFailed: self = .untried
    }
  }
}

/// An output that decodes all frames it has time for. What it reports decides whether a compressed stream has pictures.
protocol PictureJudge: FrameOutput {
  /// - Parameter drops: where it counts the frames that it could not use.
  func report(to record: PictureRecord, _ drops: DropLedger)
}

/// Where the outputs report to: whether the frames of the present stream are pictures.
final class PictureRecord: Sendable {
  /// Frames that could not be decoded, with none among them that could: the arrival of the first and of the last.
  struct Failing: Hashable, Sendable {
    var since: MonotonicTime
    var until: MonotonicTime
    var reason: String
  }

  private struct State {
    var streamBegan = MonotonicTime.distantFuture
    var isAccepted = false
    var failing: Failing?
  }

  private let state = Locked(State())
  private let onAccepted: @Sendable () -> Void

  /// - Parameter onAccepted: is told on an output's thread when the first picture of a stream could be decoded.
  init(onAccepted: @escaping @Sendable () -> Void) { self.onAccepted = onAccepted }

  /// What arrived before counts no more.
  func streamBegan(at time: MonotonicTime) { state.withLock { $0 = State(streamBegan: time) } }

  func note(_ verdict: PictureVerdict, of frame: Frame) {
    let isNews = state.withLock { state in
      guard frame.arrivalTime >= state.streamBegan else { return false }
      if case .undecodable(let reason) = verdict {
        let since = state.failing?.since ?? frame.arrivalTime
        state.failing = Failing(since: since, until: frame.arrivalTime, reason: reason)
        return false
      }
      defer { (state.isAccepted, state.failing) = (true, nil) }
      return !state.isAccepted
    }
    if isNews { onAccepted() }
  }

  /// A picture of this stream could be decoded, or nobody wanted to.
  var isAccepted: Bool { state.withLock { $0.isAccepted } }

  /// Nil while pictures can be decoded.
  var failing: Failing? { state.withLock { $0.failing } }
}

/// An output's line to its session, once it has one: what it made of each frame.
final class VerdictChannel: Sendable {
  private struct Line {
    let output: ObjectIdentifier
    let name: String
    let record: PictureRecord
    let drops: DropLedger

    func drop(_ reason: FrameDrop.Reason, _ detail: String = "") {
      drops.note(reason, at: output, named: name, detail: detail)
    }
  }

  private let line = Locked<Line?>(nil)

  func connect(_ output: any FrameOutput, to record: PictureRecord, _ drops: DropLedger) {
    let new = Line(
      output: ObjectIdentifier(output), name: "\(type(of: output))", record: record, drops: drops)
    line.withLock { $0 = new }
  }

  func send(_ verdict: PictureVerdict, of frame: Frame) {
    guard let line = line.withLock({ $0 }) else { return }
    line.record.note(verdict, of: frame)
    switch verdict {
    case .decoded: break
    case .untried: line.drop(.outOfBuffers)
    case .undecodable(let reason): line.drop(.undecodable, reason)
    }
  }

  /// A newer frame took the place of one that waited.
  /// - Parameter fate: of the log; a literal.
  func noteLate(_ frame: Frame, _ fate: String) {
    line.withLock { $0 }?.drop(.late)
    Log.fate(fate, of: frame)
  }
}
