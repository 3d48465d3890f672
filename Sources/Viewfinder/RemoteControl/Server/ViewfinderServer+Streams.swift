import HTTPService
import JSON
import System

/// The long-lived connections: the control channel and the picture streams.
extension ViewfinderServer {
  /// The time in seconds of silence after which a client counts as gone.
  private static let silence = 20.0

  /// - Parameter opening: answers the client. Called once everything that the channel needs is ready.
  /// - Returns: false if no thread can be started; the client has then not been answered.
  func serveChannel(_ socket: WebSocket, of session: PageSession, opening: () -> Bool) -> Bool {
    let client = ControlClient(number: nextNumber(), isViewer: true, session: session) {
      socket.channel.shut()
    }
    let writer = try? ReadyThread(name: "channel") {
      while let line = client.next(), socket.send(.text(line)) {}
      socket.channel.shut()
    }
    guard let writer else { return false }
    guard opening() else { return writer.abandon() }
    writer.begin()
    ControlTask.wait { [hub] in await hub.connect(client) }
    var pace = MessagePace()
    while let message = socket.receive(within: Self.silence) {
      pace.wait()
      hub.take(message, from: client)
    }
    ControlTask.wait { [hub] in await hub.disconnect(client) }
    writer.join()
    return true
  }

  /// - Returns: false if no thread can be started; the client has then not been answered.
  func servePictures(_ socket: WebSocket, opening: () -> Bool) -> Bool {
    socket.channel.limitBacklog(to: 1 << 17)
    let pictures = hub.pictures
    let viewer = pictures.enter()
    defer { pictures.leave(viewer) }
    let writer = try? ReadyThread(name: "pictures") {
      var last = 0
      while let picture = pictures.next(for: viewer, after: last, isAcknowledged: true),
        socket.send(frame: picture.frame)
      {
        last = picture.number
      }
      socket.channel.shut()
    }
    guard let writer else { return false }
    guard opening() else { return writer.abandon() }
    writer.begin()
    ControlTask.wait { [hub] in await hub.noteViewers() }
    var pace = MessagePace()
    while let message = socket.receive(within: Self.silence) {
      pace.wait()
      guard let value = try? JSONParser.parse(message), let fields = try? JSONFields(value),
        let number = try? fields.integer("got", in: 0...Int.max)
      else {
        socket.close(1008)
        break
      }
      pictures.acknowledge(number, by: viewer)
    }
    pictures.leave(viewer)
    writer.join()
    ControlTask.wait { [hub] in await hub.noteViewers() }
    return true
  }

  /// A part of `multipart/x-mixed-replace` ends when the next part begins, so the head of the next part is sent with each picture. A client
  /// that leaves is noticed at once, even if there are no pictures.
  /// - Returns: false if no thread can be started; the client has then not been answered.
  func serveMotionJPEG(_ channel: Channel) -> Bool {
    channel.limitBacklog(to: 1 << 17)
    let head = Array("--picture\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
    let opening =
      "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\nCache-Control: no-store\r\n"
      + "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n"
    let (pictures, deadline) = (hub.pictures, deadline)
    let viewer = pictures.enter()
    defer { pictures.leave(viewer) }
    let writer = try? ReadyThread(name: "images") {
      var last = 0
      while let picture = pictures.next(for: viewer, after: last, isAcknowledged: false),
        channel.write(Array(picture.jpeg) + Array("\r\n".utf8) + head, within: deadline)
      {
        last = picture.number
      }
      channel.shut()
    }
    guard let writer else { return false }
    guard channel.write(Array(opening.utf8) + head, within: deadline) else { return writer.abandon() }
    writer.begin()
    ControlTask.wait { [hub] in await hub.noteViewers() }
    channel.awaitEnd()
    channel.shut()
    pictures.leave(viewer)
    writer.join()
    ControlTask.wait { [hub] in await hub.noteViewers() }
    return true
  }
}

/// A thread that is started before its work is known, so that a failure to start can be reported before anything is promised.
final class ReadyThread: Sendable {
  private let thread: NamedThread
  private let begins = Locked<Bool?>(nil)

  /// - Throws: an error if the process may not start another thread.
  init(name: String, _ body: @escaping @Sendable () -> Void) throws(ResourceShortage) {
    thread = try NamedThread(name: name) { [begins] in if begins.wait({ $0 }) { body() } }
  }

  func begin() { decide(true) }

  /// Ends the thread without work. Call this instead of `join`.
  /// - Returns: true.
  func abandon() -> Bool {
    decide(false)
    join()
    return true
  }

  func join() { thread.join() }

  private func decide(_ choice: Bool) {
    begins.withLock { $0 = choice }
    begins.notify()
  }
}

/// Lets the thread of a connection wait for the hub.
enum ControlTask {
  static func wait(_ body: @escaping @Sendable () async -> Void) {
    let isDone = Locked(false)
    Task {
      await body()
      isDone.withLock { $0 = true }
      isDone.notify()
    }
    isDone.wait { $0 ? () : nil }
  }
}
