import HTTPService
import JSON
import Locking

/// What stays open: the control channel, and pictures.
extension ViewfinderServer {
  /// Seconds without a sign of life, after which a client counts as gone.
  private static let silence = 20.0

  func serveChannel(_ socket: WebSocket) {
    let client = ControlClient(number: nextNumber(), isViewer: true) { socket.channel.shut() }
    let writer = try? NamedThread(name: "channel") {
      while let line = client.next(), socket.send(.text(line)) {}
      socket.channel.shut()
    }
    guard let writer else { return socket.close(1013) }
    ControlTask.wait { [hub] in await hub.connect(client) }
    while let message = socket.receive(within: Self.silence) { hub.take(message, from: client) }
    ControlTask.wait { [hub] in await hub.disconnect(client) }
    writer.join()
  }

  func servePictures(_ socket: WebSocket) {
    socket.channel.limitBacklog(to: 1 << 17)
    let pictures = hub.pictures
    let viewer = pictures.enter()
    let writer = try? NamedThread(name: "pictures") {
      var last = 0
      while let picture = pictures.next(for: viewer, after: last, isAcknowledged: true),
        socket.send(frame: picture.frame)
      {
        last = picture.number
      }
      socket.channel.shut()
    }
    ControlTask.wait { [hub] in await hub.noteViewers() }
    while let message = socket.receive(within: Self.silence) {
      guard let value = try? JSONParser.parse(message), let fields = try? JSONFields(value),
        let number = try? fields.integer("got", in: 0...Int.max)
      else {
        socket.close(1008)
        break
      }
      pictures.acknowledge(number, by: viewer)
    }
    pictures.leave(viewer)
    writer?.join()
    ControlTask.wait { [hub] in await hub.noteViewers() }
  }

  /// A part of `multipart/x-mixed-replace` is over when the next one begins, so the head of the next is sent with each picture.
  func serveMotionJPEG(_ channel: Channel) {
    channel.limitBacklog(to: 1 << 17)
    let head = Array("--picture\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
    let opening =
      "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\nCache-Control: no-store\r\n"
      + "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n"
    guard channel.write(Array(opening.utf8) + head, within: deadline) else { return }
    let viewer = hub.pictures.enter()
    ControlTask.wait { [hub] in await hub.noteViewers() }
    var last = 0
    while let picture = hub.pictures.next(for: viewer, after: last, isAcknowledged: false),
      channel.write(Array(picture.jpeg) + Array("\r\n".utf8) + head, within: deadline)
    {
      last = picture.number
    }
    hub.pictures.leave(viewer)
    ControlTask.wait { [hub] in await hub.noteViewers() }
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
