import Imagery
import Log
import System

/// The result of an output's attempt to decode a frame.
enum PictureVerdict: Sendable {
  case decoded
  /// The output did not need the frame, or had no memory: this says nothing about the picture.
  case untried
  case undecodable(String)

  init(_ error: ImageError) {
    switch error {
    case .corrupt, .truncated, .unrecognised, .unsupported, .tooLarge: self = .undecodable("\(error)")
    case .budgetUnattainable, .outOfMemory, .encodingFailed: self = .untried
    }
  }
}

/// An output that decodes all frames that it has time for. Its reports decide whether a compressed stream has pictures.
protocol PictureJudge: FrameOutput {
  /// - Parameter drops: counts the frames that the output could not use.
  func report(to record: PictureRecord, _ drops: DropLedger)
}

/// Collects the outputs' reports: whether the frames of the present stream are pictures.
final class PictureRecord: Sendable {
  /// A run of frames that could not be decoded: the arrivals of the first and the last, and the reason.
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

  /// - Parameter onAccepted: called on an output's thread when the first picture of a stream could be decoded.
  init(onAccepted: @escaping @Sendable () -> Void) { self.onAccepted = onAccepted }

  /// Notes a new stream: frames that arrived before no longer count.
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

  /// Whether an output has reported a frame of this stream that it could decode, or that it did not try to decode.
  var isAccepted: Bool { state.withLock { $0.isAccepted } }

  /// The present run of undecodable frames; nil while pictures can be decoded.
  var failing: Failing? { state.withLock { $0.failing } }
}

/// Reports an output's verdict on each frame to the output's session, once the output belongs to a session.
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

  /// Notes that a newer frame replaced `frame` while it waited.
  /// - Parameter fate: the text for the log; a literal.
  func noteLate(_ frame: Frame, _ fate: String) {
    line.withLock { $0 }?.drop(.late)
    Log.fate(fate, of: frame)
  }
}
