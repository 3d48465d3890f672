import HTTPService
import JSON
import System

/// The newest picture, made once for all viewers. Each viewer takes the next picture after it has shown the one before.
package final class PictureHub: Sendable {
  package struct Picture: Sendable {
    package let number: Int
    /// The head and the JPEG bytes, as one frame of a WebSocket.
    let frame: [UInt8]
    /// The index in `frame` at which the message begins.
    let messageStart: Int
    /// The index in `frame` at which the JPEG bytes begin.
    let start: Int

    package var jpeg: ArraySlice<UInt8> { frame[start...] }
    /// The message to a viewer: the length of the head, the head, the JPEG bytes.
    var message: ArraySlice<UInt8> { frame[messageStart...] }
  }

  private struct State {
    var newest: Picture?
    var count = 0
    var isOver = false
    var viewers: Set<Int> = []
    /// The number of the picture that a viewer has not acknowledged yet, by the number of the viewer.
    var inFlight: [Int: Int] = [:]
    var last = 0
  }

  private let state = Locked(State())

  package init() {}

  package var viewers: Int { state.withLock { $0.viewers.count } }
  /// The picture of the camera now. Nil if there are no viewers, since the last picture may then be old.
  var live: Picture? { state.withLock { $0.viewers.isEmpty || $0.isOver ? nil : $0.newest } }
  /// The number of pictures that viewers have not acknowledged, at most one per viewer.
  var inFlight: Int { state.withLock { $0.inFlight.count } }

  /// - Parameters:
  ///   - head: the description of the picture; its number is added.
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

  /// Removes a viewer, and ends its waiting calls.
  func leave(_ viewer: Int) {
    state.withLock { state in
      state.viewers.remove(viewer)
      state.inFlight[viewer] = nil
    }
    state.notify()
  }

  /// Notes that the viewer has received the picture with this number and may get the next.
  func acknowledge(_ number: Int, by viewer: Int) {
    state.withLock { state in
      if let sent = state.inFlight[viewer], number >= sent { state.inFlight[viewer] = nil }
    }
    state.notify()
  }

  /// The newest picture after the one with this number, once the viewer has none in flight. Nil if the viewer has left. Blocks.
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

  /// Forgets the newest picture, which after a pause of the camera would be old. A new viewer gets the newest picture at once.
  func forget() { state.withLock { $0.newest = nil } }

  package func end() {
    state.withLock { $0.isOver = true }
    state.notify()
  }
}
