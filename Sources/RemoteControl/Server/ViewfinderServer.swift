package import HTTPService
import Locking

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
    connections: 64, uploadBytes: 0, bodyBytes: 0, headSeconds: 5, idleSeconds: 30, retryAfter: 2)

  package var port: UInt16 { http.port }
  /// What pins the key of its certificate: `sha256//…`; nil without TLS.
  package var pin: String? { http.certificate?.pin }
  /// The page's address, with the secret that opens it.
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
    (self.hub, self.deadline) = (hub, deadline)
    http = try HTTPServer(address: address, port: port, certificate: certificate, limits: limits)
    admission = Admission(
      token: token, address: address, port: http.port, isSecure: certificate != nil, names: names)
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

  private func serve(_ client: HTTPServer.Client) {
    var reader = RequestReader(channel: client.channel, limits: http.limits, budget: budget)
    while true {
      let request: Request
      do throws(Request.Trouble) { request = try reader.next() } catch {
        if let status = error.status {
          Reply(status, "the request cannot be read").send(client.channel, isLast: true)
        }
        return client.channel.dismiss()
      }
      guard client.isSeated else {
        Reply(503, "too many clients; try again soon", headers: ["Retry-After": "\(http.limits.retryAfter)"])
          .send(client.channel, isLast: true)
        return client.channel.dismiss()
      }
      guard answer(request, client.channel, &reader), request.isPersistent else { break }
    }
    client.channel.sayGoodbye()
  }

  /// Whether another request may follow.
  private func answer(_ request: Request, _ channel: Channel, _ reader: inout RequestReader) -> Bool {
    let isPage = request.path == "/"
    if let refusal = admission.refusal(of: request, takesQuery: isPage) {
      // Who is not let in keeps no seat.
      return Reply(refusal.status, refusal.reason).send(channel, isLast: true)
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return Reply(405, "only GET is answered", headers: ["Allow": "GET, HEAD"])
        .send(channel, isLast: !request.isPersistent)
    }
    switch request.path {
    case "/channel", "/pictures":
      guard let answer = WebSocketHandshake.answer(to: request) else {
        return Reply(426, "this address speaks WebSocket", headers: ["Upgrade": "websocket"])
          .send(channel, isLast: !request.isPersistent)
      }
      guard channel.write(answer, within: deadline) else { return false }
      let socket = WebSocket(
        channel: channel, rest: reader.takeRest(), limit: ClientMessage.byteLimit, deadline: deadline)
      if request.path == "/channel" { serveChannel(socket) } else { servePictures(socket) }
      return false
    case "/pictures.mjpeg":
      serveMotionJPEG(channel)
      return false
    default:
      return reply(to: request).send(
        channel, isLast: !request.isPersistent, headOnly: request.method == "HEAD")
    }
  }

  private func reply(to request: Request) -> Reply {
    let pieces = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
    switch (pieces.first, pieces.count) {
    case ("", 1):
      let hub = hub
      // The camera is opened while the browser still reads the page.
      Task { await hub.wake() }
      return .page(
        cookie: "\(admission.cookieName)=\(admission.token.text)", admission.isSecure,
        showing: hub.pictures.live)
    case ("schema.json", 1):
      return Reply(200, bytes: PackageResources.viewfinder_schema_json, "application/schema+json")
    case ("recordings", 2), ("photos", 2):
      let folder = pieces.first == "photos" ? hub.configuration.photos : hub.configuration.recordings
      return .file(String(pieces.last ?? ""), in: folder, range: request.headers["range"])
    default: return Reply(404, "there is nothing at this address")
    }
  }
}
