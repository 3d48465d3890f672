import Imagery
import System

/// A burst of photos of consecutive frames. Each of its shots is answered once, with a photo or an error, and each answer waits
/// until it is read.
final class PhotoBurst: Sendable {
  typealias Shot = Result<CapturedPhoto, any Error>

  fileprivate struct State {
    /// The number of shots that have no frame yet.
    var left: Int
    /// The number of shots that have a frame but no answer.
    var underWay = 0
    /// The answers that were not read yet.
    var unread: [Shot] = []
    var reader: CheckedContinuation<Shot?, Never>?
    /// The reason why no more shots get a frame.
    var end: End?
  }

  fileprivate enum End {
    case failed(SessionError)
    /// Nobody reads the answers any more.
    case abandoned
  }

  let settings: PhotoSettings
  let pressed: MonotonicTime
  private let camera: CameraDescription?
  private let state: Locked<State>

  init(_ count: Int, _ settings: PhotoSettings, pressed: MonotonicTime, camera: CameraDescription?) {
    self.settings = settings
    self.pressed = pressed
    self.camera = camera
    state = Locked(State(left: count))
  }

  /// Whether no more frames are needed.
  var isOver: Bool { leftCount == 0 }
  /// The number of shots that have no frame yet.
  var leftCount: Int { state.withLock { $0.left } }

  // MARK: Frames

  /// The request of the next shot, for which a frame is needed; nil if no shot is left, or if the limit of unread photos is reached.
  func nextShot() -> PhotoRequest? {
    let isWanted = state.withLock { state in
      guard state.left > 0, state.underWay + state.unread.count < PhotoOutput.unreadLimit else {
        return false
      }
      state.left -= 1
      state.underWay += 1
      return true
    }
    guard isWanted else { return nil }
    return PhotoRequest(
      pressed: pressed, settings: settings, camera: camera,
      answer: PhotoAnswer { [self] outcome in answer(outcome) })
  }

  /// Puts a shot back whose frame was refused, because enough frames wait: it gets a later frame, unless the burst has ended.
  func putBack() {
    change { state in
      state.underWay -= 1
      switch state.end {
      case nil: state.left += 1
      case .failed(let error): state.unread.append(.failure(error))
      case .abandoned: break
      }
    }
  }

  private func answer(_ outcome: Shot) {
    change { state in
      state.underWay -= 1
      state.keep(outcome)
    }
  }

  /// Fails every shot that has no frame yet, with this error.
  func fail(with error: SessionError) {
    change { state in
      if state.end == nil { state.end = .failed(error) }
      for _ in 0..<state.left { state.keep(.failure(error)) }
      state.left = 0
    }
  }

  // MARK: The reader

  /// The answers in the order in which they were given, for one reader. If the reader leaves, shots under way are finished, and no others begin.
  func shots() -> AsyncStream<Shot> {
    let reader = Reader(burst: self)
    return AsyncStream(unfolding: { await reader.burst.next() }, onCancel: { reader.burst.abandon() })
  }

  /// - Returns: nil after the last answer.
  private func next() async -> Shot? {
    await withCheckedContinuation { continuation in
      let isSecond = state.withLock { state in
        if state.reader != nil { return true }
        state.reader = continuation
        return false
      }
      if isSecond { continuation.resume(returning: nil) } else { change { _ in } }
    }
  }

  private func abandon() {
    change { state in (state.end, state.left, state.unread) = (.abandoned, 0, []) }
  }

  /// Changes the state, and passes an answer to a waiting reader.
  private func change(_ body: (inout State) -> Void) {
    let (reader, shot): (CheckedContinuation<Shot?, Never>?, Shot?) = state.withLock { state in
      body(&state)
      if state.reader != nil, !state.unread.isEmpty {
        return (state.reader.take(), state.unread.removeFirst())
      }
      return state.isAnswered ? (state.reader.take(), nil) : (nil, nil)
    }
    reader?.resume(returning: shot)
  }

  /// Abandons the burst when nobody holds this any more.
  private final class Reader: Sendable {
    let burst: PhotoBurst

    init(burst: PhotoBurst) { self.burst = burst }
    deinit { burst.abandon() }
  }
}

extension PhotoBurst.State {
  /// Whether no more answers come.
  fileprivate var isAnswered: Bool {
    if case .abandoned = end { return true }
    return left == 0 && underWay == 0 && unread.isEmpty
  }

  fileprivate mutating func keep(_ shot: PhotoBurst.Shot) {
    if case .abandoned = end { return }
    unread.append(shot)
  }
}
