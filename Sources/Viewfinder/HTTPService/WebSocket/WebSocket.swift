import System

/// A WebSocket on a connection. One thread receives; any may send, one after another.
package final class WebSocket: Sendable {
  private struct Incoming {
    var frames: WebSocketFrames
    var ready: [WebSocketFrames.Event] = []
    var rest: [UInt8]
  }

  package let channel: Channel
  private let incoming: Locked<Incoming>
  private let isServer: Bool
  /// Frames go out whole.
  private let sending = Locked(false)
  /// Seconds that one message may wait for the other side to take it: then it is dropped.
  private let deadline: Double

  /// - Parameters:
  ///   - rest: what came with the handshake and belongs to the frames.
  ///   - limit: bytes of the largest message that is taken.
  ///   - deadline: seconds that the other side may need to take a message.
  package init(
    channel: Channel, rest: [UInt8], isServer: Bool = true, limit: Int = 1 << 16, deadline: Double = 5
  ) {
    self.channel = channel
    self.isServer = isServer
    self.deadline = deadline
    incoming = Locked(
      Incoming(frames: WebSocketFrames(from: isServer ? .client : .server, limit: limit), rest: rest))
  }

  /// The next message; nil when the connection is over. A ping is answered, and so is a close. Where nothing has come for half of `patience`
  /// the other side is asked for a sign of life.
  /// - Parameter patience: seconds to wait for anything.
  package func receive(within patience: Double = 60) -> [UInt8]? {
    var isAsked = false
    while true {
      if let event = incoming.withLock({ $0.ready.isEmpty ? nil : $0.ready.removeFirst() }) {
        switch event {
        case .text(let bytes), .binary(let bytes): return bytes
        case .ping(let bytes): _ = send(.pong(bytes))
        case .pong: break
        case .close(let status):
          close(status == 1005 ? 1000 : status)
          return nil
        }
        continue
      }
      if let trouble = incoming.withLock({ $0.frames.trouble }) {
        close(trouble.rawValue)
        return nil
      }
      var bytes = incoming.withLock { incoming in
        defer { incoming.rest = [] }
        return incoming.rest
      }
      if bytes.isEmpty {
        var wait = Patience(seconds: patience / 2)
        do throws(Channel.Trouble) { bytes = try channel.read(1 << 16, &wait) } catch {
          guard error == .late, !isAsked, send(.ping([])) else { return nil }
          isAsked = true
          continue
        }
      }
      isAsked = false
      incoming.withLock { incoming in
        if let events = try? incoming.frames.take(bytes) { incoming.ready += events }
      }
    }
  }

  /// Whether it was taken in time. When it was not, the connection is over.
  @discardableResult package func send(_ event: WebSocketFrames.Event) -> Bool {
    var mask: [UInt8]?
    if !isServer { mask = (0..<4).map { _ in UInt8.random(in: 0...255) } }
    return send(frame: WebSocketFrames.frame(event, mask: mask))
  }

  /// The same of a frame that was made before, for many clients at once.
  package func send(frame: [UInt8]) -> Bool {
    sending.withLock { isOver in
      guard !isOver else { return false }
      guard channel.write(frame, within: deadline) else {
        isOver = true
        channel.shut()
        return false
      }
      return true
    }
  }

  /// Says why, and sends nothing more.
  package func close(_ status: UInt16) {
    _ = send(.close(status))
    sending.withLock { $0 = true }
    channel.shut()
  }
}
