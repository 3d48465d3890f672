import System
import Video4Linux

/// `slow-start` and `no-frames`: no frames for a while after the start of the stream, or none at all.
struct LateFirstFrame: DriverLie {
  let victim: CameraMode
  /// Time without frames after the start of the stream, in nanoseconds.
  let delay: Int64

  func twist(_ call: DriverCall) throws(Errno) {
    guard call.request == .dequeueBuffer, call.client.isIn(victim), let began = call.client.streamBegan else {
      return
    }
    if call.kernel.now() - began < delay { try call.discardBuffer() }
  }
}

/// `slow-return`: the firmware needs a rest between two streams.
final class SlowReturn: DriverLie {
  private static let rest: Int64 = 200_000_000
  private static let delay: Int64 = 700_000_000

  private struct State: Sendable {
    var ended: Int64?
    var isTired = false
  }

  private let victim: CameraMode
  private let state = Locked(State())

  init(victim: CameraMode) { self.victim = victim }

  func twist(_ call: DriverCall) throws(Errno) {
    let now = call.kernel.now()
    switch call.request {
    case .streamOff: if call.client.isIn(victim) { state.withLock { $0.ended = now } }
    case .streamOn:
      state.withLock {
        $0.isTired = call.client.isIn(victim) && $0.ended.map { now - $0 < Self.rest } ?? false
      }
    case .dequeueBuffer:
      let isTired = state.withLock { $0.isTired }
      if isTired, let began = call.client.streamBegan, now - began < Self.delay { try call.discardBuffer() }
    default: break
    }
  }
}

/// `jitter`: every other frame is held for seven tenths of an interval, and its timestamp is moved as well.
final class JitteryPace: DriverLie {
  private struct State: Sendable {
    var count = 0
    /// The time at which the held frame may be announced, in nanoseconds.
    var due: Int64?
  }

  private let states = Locked<[Int32: State]>([:])

  private func hold(_ client: DriverClient) -> Int64 { client.interval * 7 / 10 }

  func due(_ descriptor: Int32, _ client: DriverClient, now: Int64) -> Int64? {
    states.withLock { states in
      guard var state = states[descriptor], state.count % 2 == 1 else { return nil }
      let due = state.due ?? now + hold(client)
      state.due = due
      states[descriptor] = state
      return due
    }
  }

  func intercept(_ call: DriverCall) throws(Errno) -> Bool {
    guard call.request == .dequeueBuffer, let due = states.withLock({ $0[call.descriptor]?.due }),
      due > call.kernel.now()
    else { return false }
    throw .tryAgain
  }

  func twist(_ call: DriverCall) throws(Errno) {
    if call.request == .streamOn { states.withLock { $0[call.descriptor] = State() } }
    guard call.request == .dequeueBuffer else { return }
    let wasHeld = states.withLock { states in
      let wasHeld = states[call.descriptor]?.due != nil
      states[call.descriptor]?.count += 1
      states[call.descriptor]?.due = nil
      return wasHeld
    }
    if wasHeld { call.moveStamp(by: hold(call.client)) }
  }

  func forget(_ descriptor: Int32) { states.withLock { $0[descriptor] = nil } }
}
