package import JSON
import System

/// One client of the control channel: what waits to be sent to it, bounded. Its transport takes the messages and sends them.
package final class ControlClient: Sendable {
  private struct Outbox {
    var lines: [[UInt8]] = []
    var bytes = 0
    var isClosed = false
    /// Commands that are not answered yet.
    var commands = 0
    var isVisible = true
  }

  /// Messages and bytes that may wait for a client that is slow. One that is slower is let go.
  private static let (lineLimit, byteLimit) = (1024, 4 << 20)
  /// Commands of one client that may wait for their answer.
  private static let commandLimit = 64
  /// What may be left out is told only to clients for whom no more than so many messages wait.
  private static let evidenceLimit = 32

  /// Counts from 1.
  package let number: Int
  /// A viewer keeps the camera running while it looks; a remote does not.
  package let isViewer: Bool
  /// What lets it in; nil of a program on this machine's socket.
  let session: PageSession?
  private let outbox = Locked(Outbox())
  private let onDrop: @Sendable () -> Void

  /// - Parameter onDrop: ends the connection of a client that does not take its messages; called once at most, must not block.
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

  /// The same of what may be left out: a client for whom much waits already does not get it.
  package func offer(line: [UInt8]) { if waiting < Self.evidenceLimit { send(line: line) } }

  /// The next message, as one line of JSON without its end; nil when there will be none. Blocks.
  package func next() -> [UInt8]? {
    outbox.wait { outbox -> [UInt8]?? in
      guard !outbox.lines.isEmpty else { return outbox.isClosed ? .some(nil) : nil }
      let line = outbox.lines.removeFirst()
      outbox.bytes -= line.count
      return .some(line)
    }
  }

  /// Messages that wait to be sent.
  var waiting: Int { outbox.withLock { $0.lines.count } }

  package func close() {
    outbox.withLock { $0.isClosed = true }
    outbox.notify()
  }

  /// Whether it looks at the page.
  var isVisible: Bool {
    get { outbox.withLock { $0.isVisible && !$0.isClosed } }
    set { outbox.withLock { $0.isVisible = newValue } }
  }

  /// False where too many commands wait already.
  func beginCommand() -> Bool {
    outbox.withLock { outbox in
      guard outbox.commands < Self.commandLimit else { return false }
      outbox.commands += 1
      return true
    }
  }

  func endCommand() { outbox.withLock { $0.commands -= 1 } }
}
