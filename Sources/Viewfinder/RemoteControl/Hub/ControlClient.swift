package import JSON
import System

/// A client of the control channel, with a bounded queue of outgoing messages. Its transport takes the messages and sends them.
package final class ControlClient: Sendable {
  private struct Outbox {
    var lines: [[UInt8]] = []
    var bytes = 0
    var isClosed = false
    /// The number of commands that are not answered yet.
    var commands = 0
    var isVisible = true
  }

  /// The maximum number and size of the messages that wait for a slow client. A client that exceeds them is dropped.
  private static let (lineLimit, byteLimit) = (1024, 4 << 20)
  /// The maximum number of unanswered commands of a client.
  private static let commandLimit = 64
  /// The number of waiting messages from which on optional messages are not sent to a client.
  private static let evidenceLimit = 32

  /// The number of the client, from 1.
  package let number: Int
  /// Whether the client shows the picture. A viewer keeps the camera running while it is visible; a remote does not.
  package let isViewer: Bool
  /// The session that admits the client. Nil for a program on this machine's socket.
  let session: PageSession?
  private let outbox = Locked(Outbox())
  private let onDrop: @Sendable () -> Void

  /// - Parameter onDrop: ends the connection of a client that does not take its messages. Called at most once; must not block.
  package init(
    number: Int, isViewer: Bool, session: PageSession? = nil, onDrop: @escaping @Sendable () -> Void
  ) {
    self.number = number
    self.isViewer = isViewer
    self.session = session
    self.onDrop = onDrop
  }

  package func send(_ message: JSONValue) { send(line: JSONSerializer.line(message)) }

  package func send(line: [UInt8]) {
    let isTooSlow = outbox.withLock { outbox in
      guard !outbox.isClosed else { return false }
      outbox.lines.append(line)
      outbox.bytes += line.count
      guard outbox.lines.count > Self.lineLimit || outbox.bytes > Self.byteLimit else { return false }
      outbox.lines = []
      outbox.bytes = 0
      outbox.isClosed = true
      return true
    }
    outbox.notify()
    if isTooSlow { onDrop() }
  }

  /// Sends an optional message, unless many messages wait for the client.
  package func offer(line: [UInt8]) { if waiting < Self.evidenceLimit { send(line: line) } }

  /// The next message, as one line of JSON without line end. Nil if there will be none. Blocks.
  package func next() -> [UInt8]? {
    outbox.wait { outbox -> [UInt8]?? in
      guard !outbox.lines.isEmpty else { return outbox.isClosed ? .some(nil) : nil }
      let line = outbox.lines.removeFirst()
      outbox.bytes -= line.count
      return .some(line)
    }
  }

  /// The number of messages that wait to be sent.
  var waiting: Int { outbox.withLock { $0.lines.count } }

  package func close() {
    outbox.withLock { $0.isClosed = true }
    outbox.notify()
  }

  /// Whether the client's page is visible.
  var isVisible: Bool {
    get { outbox.withLock { $0.isVisible && !$0.isClosed } }
    set { outbox.withLock { $0.isVisible = newValue } }
  }

  /// Counts a command. Returns false if too many commands are unanswered.
  func beginCommand() -> Bool {
    outbox.withLock { outbox in
      guard outbox.commands < Self.commandLimit else { return false }
      outbox.commands += 1
      return true
    }
  }

  func endCommand() { outbox.withLock { $0.commands -= 1 } }
}
