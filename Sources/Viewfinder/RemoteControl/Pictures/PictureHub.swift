import HTTPService
import Imagery
import JSON
import System

/// The newest picture, made once for everybody who looks. Each viewer takes it when it has shown the one before.
package final class PictureHub: Sendable {
  package struct Picture: Sendable {
    package let number: Int
    /// Head and JPEG bytes as one frame of a WebSocket.
    let frame: [UInt8]
    /// Where the message begins in it.
    let messageStart: Int
    /// Where the JPEG bytes begin in it.
    let start: Int

    package var jpeg: ArraySlice<UInt8> { frame[start...] }
    /// What a viewer gets: the length of the head, the head, the JPEG bytes.
    var message: ArraySlice<UInt8> { frame[messageStart...] }
  }

  private struct State {
    var newest: Picture?
    var count = 0
    var isOver = false
    /// Those who look.
    var viewers: Set<Int> = []
    /// The picture that each has not acknowledged yet.
    var inFlight: [Int: Int] = [:]
    var last = 0
  }

  private let state = Locked(State())

  package init() {}

  package var viewers: Int { state.withLock { $0.viewers.count } }
  /// What the camera shows now; nil where nobody looks, since the last one then may be old.
  var live: Picture? { state.withLock { $0.viewers.isEmpty || $0.isOver ? nil : $0.newest } }
  /// Pictures that viewers have been given and have not acknowledged: one for each at most.
  var inFlight: Int { state.withLock { $0.inFlight.count } }

  /// - Parameters:
  ///   - head: what is told of the picture; its number is added.
  func publish(_ head: [String: JSONValue], _ jpeg: some Collection<UInt8>) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let json = JSONSerializer.line(.object(head.merging(["number": .whole(number)]) { $1 }))
    let length = UInt32(json.count)
    var payload: [UInt8] = []
    payload.reserveCapacity(4 + json.count + jpeg.count)
    for shift in [0, 8, 16, 24] { payload.append(UInt8(truncatingIfNeeded: length >> UInt32(shift))) }
    payload += json
    payload += jpeg
    let frame = WebSocketFrames.frame(.binary(payload))
    let picture = Picture(
      number: number, frame: frame, messageStart: frame.count - payload.count,
      start: frame.count - jpeg.count)
    state.withLock { if ($0.newest?.number ?? 0) < number { $0.newest = picture } }
    state.notify()
  }

  /// - Returns: the viewer's number.
  func enter() -> Int {
    state.withLock { state in
      state.last += 1
      state.viewers.insert(state.last)
      return state.last
    }
  }

  /// Whatever the viewer waits for ends.
  func leave(_ viewer: Int) {
    state.withLock { state in
      state.viewers.remove(viewer)
      state.inFlight[viewer] = nil
    }
    state.notify()
  }

  /// The viewer has the picture of this number: it may be given the next.
  func acknowledge(_ number: Int, by viewer: Int) {
    state.withLock { state in
      if let sent = state.inFlight[viewer], number >= sent { state.inFlight[viewer] = nil }
    }
    state.notify()
  }

  /// The newest picture after the one of that number, once the viewer has none in flight; nil when it has gone. Blocks.
  func next(for viewer: Int, after number: Int, isAcknowledged: Bool) -> Picture? {
    state.wait { state -> Picture?? in
      if state.isOver || !state.viewers.contains(viewer) { return .some(nil) }
      guard state.inFlight[viewer] == nil, let newest = state.newest, newest.number > number else {
        return nil
      }
      if isAcknowledged { state.inFlight[viewer] = newest.number }
      return .some(newest)
    }
  }

  /// A viewer that comes gets the newest picture at once. After a pause of the camera that would be an old one.
  func forget() { state.withLock { $0.newest = nil } }

  package func end() {
    state.withLock { $0.isOver = true }
    state.notify()
  }
}
