package import HTTPService
import Log
import System

/// The HTTP server of the viewfinder: its page, control channel, pictures and files.
package final class ViewfinderServer: Sendable {
  package let hub: ViewfinderHub
  let admission: Admission
  private let http: HTTPServer
  private let budget = Budget(0)
  private let clients = Locked(0)
  /// The time in seconds within which a client must take a message or picture. Otherwise it is dropped.
  let deadline: Double

  package static let limits = ServerLimits(
    connections: 64, uploadBytes: 0, bodyBytes: 0, headSeconds: 5, idleSeconds: 30, retryAfter: 2, lobby: 32)

  package var port: UInt16 { http.port }
  /// The pin of its certificate's key: `sha256//…`. Nil without TLS.
  package var pin: String? { http.certificate?.pin }
  /// The address of the page, with the token that opens it. The page then gets its own secret, and removes the token from the address.
  package func url(with token: AccessToken) -> String {
    "\(admission.isSecure ? "https" : "http")://\(admission.address):\(port)/?token=\(token.text)"
  }

  /// Starts serving.
  /// - Parameters:
  ///   - address: an IPv4 address of this machine. Any other than the loopback address needs a certificate.
  ///   - port: 0 for any free port.
  ///   - names: further names of this machine that requests may use.
  package init(
    _ hub: ViewfinderHub, address: String = "127.0.0.1", port: UInt16, certificate: ServerCertificate? = nil,
    token: AccessToken, names: [String] = [], limits: ServerLimits = ViewfinderServer.limits,
    deadline: Double = 5
  ) throws(HTTPServer.Failure) {
    self.hub = hub
    self.deadline = deadline
    http = try HTTPServer(address: address, port: port, certificate: certificate, limits: limits)
    admission = Admission(
      token: token, sessions: hub.sessions, address: address, port: http.port, isSecure: certificate != nil,
      names: names)
    try http.begin { [weak self] client in self?.serve(client) }
  }

  /// Ends every connection.
  package func stop() { http.stop() }

  /// The number of the next client of the channel, over WebSocket or the local socket.
  func nextNumber() -> Int {
    clients.withLock { clients in
      clients += 1
      return clients
    }
  }

  /// The resources that an admitted client holds.
  private struct Place {
    let hold: PageSession.Hold
    let share: Share
  }

  private func serve(_ client: HTTPServer.Client) {
    var reader = RequestReader(channel: client.channel, limits: http.limits, budget: budget)
    var place: Place?
    while true {
      let request: IncomingRequest
      do throws(IncomingRequest.Trouble) { request = try reader.next() } catch {
        if let status = error.status {
          Reply(status, "the request cannot be read: \(error.reason)").send(client.channel, isLast: true)
        }
        return client.channel.dismiss()
      }
      guard answer(request, client, reader: &reader, place: &place), request.isPersistent else { break }
    }
    client.channel.sayGoodbye()
  }

  /// Answers a request.
  /// - Returns: whether another request may follow.
  private func answer(
    _ request: IncomingRequest, _ client: HTTPServer.Client, reader: inout RequestReader, place: inout Place?
  ) -> Bool {
    let session: PageSession
    var isOpening = false
    switch admission.grant(request) {
    case .refused(let refusal):
      // A refused client takes no slot.
      Log.viewfinder.warning("\(request.method) was refused with \(refusal.status): \(refusal.reason)")
      return Reply(refusal.status, refusal.reason).send(client.channel, isLast: true)
    case .stranger(let reply): return send(reply, to: request, client.channel)
    case .session(let known): session = known
    case .opening: (session, isOpening) = (hub.sessions.begin(), true)
    }
    if place?.hold.session !== session { place = slot(client, session) }
    guard place != nil else { return isBusy(client.channel) }
    if isOpening { return send(opened(session), to: request, client.channel) }
    return serve(request, of: session, client.channel, reader: &reader)
  }

  /// Takes a slot, and a part of the session's share of the slots. Nil if none is left.
  private func slot(_ client: HTTPServer.Client, _ session: PageSession) -> Place? {
    let share = Share(of: session.slots)
    let channel = client.channel
    guard share.grow(to: 1), client.admit(), let hold = session.hold({ channel.shut() }) else { return nil }
    return Place(hold: hold, share: share)
  }

  private func isBusy(_ channel: Channel) -> Bool {
    Reply(503, "too many clients; try again soon", headers: ["Retry-After": "\(http.limits.retryAfter)"])
      .send(channel, isLast: true)
    channel.dismiss()
    return false
  }

  private func send(_ reply: Reply, to request: IncomingRequest, _ channel: Channel) -> Bool {
    guard request.method == "GET" || request.method == "HEAD" else {
      return Reply(405, "only GET and HEAD are answered", headers: ["Allow": "GET, HEAD"])
        .send(channel, isLast: !request.isPersistent)
    }
    return reply.send(channel, isLast: !request.isPersistent, headOnly: request.method == "HEAD")
  }

  /// The page with a session of its own.
  private func opened(_ session: PageSession) -> Reply {
    let hub = hub
    // Open the camera while the browser still parses the page.
    Task { await hub.wake() }
    return .page(session: session.secret.text, showing: hub.pictures.live)
  }

  private func serve(
    _ request: IncomingRequest, of session: PageSession, _ channel: Channel, reader: inout RequestReader
  ) -> Bool {
    // Do not log the query: it may contain a ticket.
    Log.viewfinder.debug("\(request.method) \(request.path)")
    guard request.method == "GET" else { return send(reply(to: request, of: session), to: request, channel) }
    let isServed: Bool
    switch request.path {
    case "/channel", "/pictures":
      guard let answer = WebSocketHandshake.answer(to: request, choosing: Admission.subprotocol) else {
        return Reply(426, "this address takes only WebSocket connections", headers: ["Upgrade": "websocket"])
          .send(channel, isLast: !request.isPersistent)
      }
      let socket = WebSocket(
        channel: channel, rest: reader.takeRest(), limit: ClientMessage.byteLimit, deadline: deadline)
      let open = { [deadline] in channel.write(answer, within: deadline) }
      isServed =
        request.path == "/channel"
        ? serveChannel(socket, of: session, opening: open) : servePictures(socket, opening: open)
    case "/pictures.mjpeg": isServed = serveMotionJPEG(channel)
    default: return send(reply(to: request, of: session), to: request, channel)
    }
    return isServed ? false : isBusy(channel)
  }

  private func reply(to request: IncomingRequest, of session: PageSession) -> Reply {
    if let reply = Reply.forEverybody(request.path) { return reply }
    let pieces = request.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { String(decoding: $0, as: UTF8.self) }
    switch (pieces.first, pieces.count) {
    case ("session", 1): return Reply(200, "this session holds")
    case ("schema.json", 1):
      return Reply(200, bytes: PackageResources.viewfinder_schema_json, "application/schema+json")
    case ("photos", 1): return .json(PhotoList(folder: hub.configuration.photos).document)
    case ("photos", 3) where pieces[2].isExactly("report"):
      return .report(pieces[1], in: hub.configuration.photos)
    case ("recordings", 2), ("photos", 2):
      let folder = pieces[0] == "photos" ? hub.configuration.photos : hub.configuration.recordings
      return .file(pieces[1], in: folder, range: request.headers["range"])
    case ("ticket", 2...3):
      // Tickets are only issued for addresses that a tag or a link may request.
      let path = "/" + pieces.dropFirst().joined(separator: "/")
      let isFile = pieces.count == 3 && ["recordings", "photos"].holds(exactly: pieces[1])
      guard isFile || path == "/pictures.mjpeg" else {
        return Reply(404, "there is nothing at this address; open the one that `view --serve` printed")
      }
      return Reply(200, hub.sessions.ticket(for: path, of: session))
    default: return Reply(404, "there is nothing at this address; open the one that `view --serve` printed")
    }
  }
}
