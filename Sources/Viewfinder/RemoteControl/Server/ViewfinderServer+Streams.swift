import HTTPService
import JSON
import System

/// What stays open: the control channel, and pictures.
extension ViewfinderServer {
  /// Seconds without a sign of life, after which a client counts as gone.
  private static let silence = 20.0

  /// - Parameter opening: answers the client; called when all that the channel needs is there.
  /// - Returns: false where the process has no thread for it: then the client was told nothing.
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

  /// - Returns: as `serveChannel`.
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

  /// A part of `multipart/x-mixed-replace` is over when the next one begins, so the head of the next is sent with each picture. A client that has
  /// left is noticed at once, also while no picture comes.
  /// - Returns: as `serveChannel`.
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

/// A thread that is there before its work is: who cannot have one is told so before anything is promised.
final class ReadyThread: Sendable {
  private let thread: NamedThread
  private let begins = Locked<Bool?>(nil)

  /// - Throws: when the process may not start another.
  init(name: String, _ body: @escaping @Sendable () -> Void) throws(ResourceShortage) {
    thread = try NamedThread(name: name) { [begins] in if begins.wait({ $0 }) { body() } }
  }

  func begin() { decide(true) }

  /// There is nothing to do after all. Instead of `join`.
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
