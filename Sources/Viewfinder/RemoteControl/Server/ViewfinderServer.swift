package import HTTPService
import Log
import System

/// The server of the viewfinder: the page, its control channel, its pictures and its files.
package final class ViewfinderServer: Sendable {
  package let hub: ViewfinderHub
  let admission: Admission
  private let http: HTTPServer
  private let budget = Budget(0)
  private let clients = Locked(0)
  /// Seconds that a client may need to take one message or picture: then it is dropped.
  let deadline: Double

  /// What this server grants.
  package static let limits = ServerLimits(
    connections: 64, uploadBytes: 0, bodyBytes: 0, headSeconds: 5, idleSeconds: 30, retryAfter: 2, lobby: 32)

  package var port: UInt16 { http.port }
  /// What pins the key of its certificate: `sha256//…`; nil without TLS.
  package var pin: String? { http.certificate?.pin }
  /// The page's address, with the secret that opens it. The page has a secret of its own then, and takes this one out of the address.
  package func url(with token: AccessToken) -> String {
    "\(admission.isSecure ? "https" : "http")://\(admission.address):\(port)/?token=\(token.text)"
  }

  /// Serves at once.
  /// - Parameters:
  ///   - address: an IPv4 address of this machine; any but its own needs a certificate.
  ///   - port: 0 for any that is free.
  ///   - names: of this machine, by which it may be asked too.
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

  /// Clients of the channel are numbered, whichever way they come.
  func nextNumber() -> Int {
    clients.withLock { clients in
      clients += 1
      return clients
    }
  }

  /// What a client that is let in holds as long as it is there.
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
          Reply(status, "the request cannot be read").send(client.channel, isLast: true)
        }
        return client.channel.dismiss()
      }
      guard answer(request, client, reader: &reader, place: &place), request.isPersistent else { break }
    }
    client.channel.sayGoodbye()
  }

  /// Whether another request may follow.
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
    case .stranger: return send(.page(session: nil), to: request, client.channel)
    case .session(let known): session = known
    case .opening: (session, isOpening) = (hub.sessions.begin(), true)
    }
    if place?.hold.session !== session { place = slot(client, session) }
    guard place != nil else { return isBusy(client.channel) }
    if isOpening { return send(opened(session), to: request, client.channel) }
    return serve(request, of: session, client.channel, reader: &reader)
  }

  /// One of the slots, and of the client's own share of them; nil where there is none left.
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
      return Reply(405, "only GET is answered", headers: ["Allow": "GET, HEAD"])
        .send(channel, isLast: !request.isPersistent)
    }
    return reply.send(channel, isLast: !request.isPersistent, headOnly: request.method == "HEAD")
  }

  /// The page with a session of its own.
  private func opened(_ session: PageSession) -> Reply {
    let hub = hub
    // The camera is opened while the browser still reads the page.
    Task { await hub.wake() }
    return .page(session: session.secret.text, showing: hub.pictures.live)
  }

  private func serve(
    _ request: IncomingRequest, of session: PageSession, _ channel: Channel, reader: inout RequestReader
  ) -> Bool {
    // Not what follows a question mark: it may be a ticket.
    Log.viewfinder.debug("\(request.method) \(request.path)")
    guard request.method == "GET" else { return send(reply(to: request, of: session), to: request, channel) }
    let isServed: Bool
    switch request.path {
    case "/channel", "/pictures":
      guard let answer = WebSocketHandshake.answer(to: request, choosing: Admission.subprotocol) else {
        return Reply(426, "this address speaks WebSocket", headers: ["Upgrade": "websocket"])
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
    let pieces = request.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .dropFirst().map { String(decoding: $0, as: UTF8.self) }
    switch (pieces.first, pieces.count) {
    case ("", 1): return .page(session: nil)
    case ("session", 1): return Reply(200, "this session holds")
    case ("schema.json", 1):
      return Reply(200, bytes: PackageResources.viewfinder_schema_json, "application/schema+json")
    case ("recordings", 2), ("photos", 2):
      let folder = pieces[0] == "photos" ? hub.configuration.photos : hub.configuration.recordings
      return .file(pieces[1], in: folder, range: request.headers["range"])
    case ("ticket", 2...3):
      // Only for what a tag or a link may ask for.
      let path = "/" + pieces.dropFirst().joined(separator: "/")
      let isFile = pieces.count == 3 && ["recordings", "photos"].holds(exactly: pieces[1])
      guard isFile || path == "/pictures.mjpeg" else { return Reply(404, "there is nothing at this address") }
      return Reply(200, hub.sessions.ticket(for: path, of: session))
    default: return Reply(404, "there is nothing at this address")
    }
  }
}
