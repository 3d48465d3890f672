import System

/// A WebSocket on a connection. Only one thread may receive; any thread may send.
package final class WebSocket: Sendable {
  private struct Incoming {
    var frames: WebSocketFrames
    var ready: [WebSocketFrames.Event] = []
    var rest: [UInt8]
  }

  package let channel: Channel
  private let incoming: Locked<Incoming>
  private let isServer: Bool
  /// Serialises sending, so that frames are not interleaved. True once sending is over.
  private let sending = Locked(false)
  /// The time in seconds within which the other side must take a message. Otherwise the connection is dropped.
  private let deadline: Double

  /// - Parameters:
  ///   - rest: bytes that were received after the handshake and belong to the frames.
  ///   - limit: the maximum size of an incoming message in bytes.
  ///   - deadline: the time in seconds within which the other side must take a message.
  package init(
    channel: Channel, rest: [UInt8], isServer: Bool = true, limit: Int = 1 << 16, deadline: Double = 5
  ) {
    self.channel = channel
    self.isServer = isServer
    self.deadline = deadline
    incoming = Locked(
      Incoming(frames: WebSocketFrames(from: isServer ? .client : .server, limit: limit), rest: rest))
  }

  /// Returns the next message. Nil if the connection is over. Pings and closes are answered. If nothing arrives for half of `patience`, a ping is
  /// sent.
  /// - Parameter patience: the maximum silence of the other side in seconds.
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

  /// Sends a frame. If the other side does not take it in time, the connection is over.
  /// - Returns: whether the frame was taken.
  @discardableResult package func send(_ event: WebSocketFrames.Event) -> Bool {
    var mask: [UInt8]?
    if !isServer { mask = (0..<4).map { _ in UInt8.random(in: 0...255) } }
    return send(frame: WebSocketFrames.frame(event, mask: mask))
  }

  /// Sends a frame that was created before, for many clients at once.
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

  /// Sends a close frame with a status. Nothing is sent after it.
  package func close(_ status: UInt16) {
    _ = send(.close(status))
    sending.withLock { $0 = true }
    channel.shut()
  }
}
