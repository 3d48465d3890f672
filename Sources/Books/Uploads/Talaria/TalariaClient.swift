import FoundationEssentials
public import Library

/// The Talaria backend over HTTP: `POST /v3/jobs/scans`, the job's event stream, `DELETE /v3/jobs/scans/{jobId}/cleanup`.
///
/// In addition to the published protocol, the client sends `Idempotency-Key` (one job per scan) and `X-Device-ID`. It sends them only to the server
/// for which it was created.
///
/// ```swift
/// let client = try TalariaClient(
///   TalariaSettings(server: "https://talaria.example"), device: BackendIdentity(directory: store.directory))
/// let uploader = Uploader(store: store, backend: client)
/// ```
public final class TalariaClient: Backend {
  let settings: TalariaSettings
  let server: WebAddress
  let transport: Transport
  let clock: any DeliveryClock
  private let device: BackendIdentity

  /// - Throws: `badInput` if the address is invalid, or if it is plain HTTP and either to another machine or with a pin; `unavailable` if libcurl
  ///   is missing or does not start.
  public convenience init(
    _ settings: TalariaSettings, device: BackendIdentity, clock: any DeliveryClock = WallClock()
  ) throws(DeliveryError) {
    try self.init(settings, device: device, clock: clock, ticks: monotonicMilliseconds)
  }

  /// - Parameter ticks: the clock that measures the silence of a stream.
  init(
    _ settings: TalariaSettings, device: BackendIdentity, clock: any DeliveryClock, ticks: @escaping Ticks
  ) throws(DeliveryError) {
    try loadLibcurl()
    guard let server = WebAddress(settings.server) else {
      throw DeliveryError(
        .badInput, "use the backend",
        reason: "its address is not a web address",
        remedy: "give one like https://host with --server or SWIFTWING_TALARIA_URL")
    }
    guard server.isSecure || server.isLoopback else {
      throw DeliveryError(
        .badInput, "use the backend \(server.host)", reason: "its address is not https",
        remedy: "use its https address")
    }
    guard server.isSecure || settings.transport.pin == nil else {
      throw DeliveryError(
        .badInput, "use the backend \(server.host)", reason: "a pin needs https",
        remedy: "use its https address, or unset SWIFTWING_TALARIA_PIN")
    }
    self.settings = settings
    self.server = server
    self.device = device
    self.clock = clock
    transport = try Transport(settings.transport, ticks: ticks)
  }

  public func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    let form = MultipartForm(submission)
    let request = HTTPRequest(
      method: .post, url: try address(of: "/v3/jobs/scans"),
      headers: headers(accept: "application/json") + [
        ("Content-Type", form.contentType), ("Idempotency-Key", idempotencyKey),
      ],
      body: form.bytes, timeout: settings.exchangeTimeout)
    return try job(from: try await answer(to: request, "take the scan") { $0 == 202 })
  }

  public func cleanUp(_ jobID: String) async throws(BackendError) {
    let request = HTTPRequest(
      method: .delete, url: try address(of: "/v3/jobs/scans/\(jobID)/cleanup"),
      headers: headers(accept: "*/*"), timeout: settings.exchangeTimeout)
    _ = try await answer(to: request, "clean up") { (200...299).contains($0) || $0 == 404 || $0 == 410 }
  }

  /// Sends a request, and returns the body of an answer with an expected status.
  private func answer(
    to request: HTTPRequest, _ action: String, when isExpected: (Int) -> Bool
  ) async throws(BackendError) -> [UInt8] {
    do {
      let stream = try await transport.open(request)
      guard isExpected(stream.head.status) else { throw refusal(of: stream, action) }
      return try await stream.body(limit: 1 << 16)
    } catch let error as TransferError {
      throw BackendError(error)
    } catch let error as BackendError {
      throw error
    } catch { throw BackendError(.unavailable(endsJob: false, for: nil), "\(error)") }
  }

  func headers(accept: String) -> [(name: String, value: String)] {
    [("Accept", accept), ("X-Device-ID", device.secret), ("User-Agent", "SwiftWing")]
  }

  private func address(of path: String) throws(BackendError) -> String {
    guard let address = server.resolving(path) else {
      throw BackendError(
        .rejected,
        "Cannot use the backend \(server.host): the job it gave has no valid address; tell its operator.")
    }
    return address.text
  }

  /// Parses `{"jobId": …, "streamUrl": …}`. The stream must be on the same server, since it receives the device's identity.
  private func job(from body: [UInt8]) throws(BackendError) -> QueuedScan.Job {
    struct Answer: Decodable {
      var jobId: String
      var streamUrl: String
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(body)), Self.isUsable(answer.jobId),
      let stream = server.resolving(answer.streamUrl)
    else { throw nonsense("its answer to the upload does not have the agreed form") }
    guard stream.origin == server.origin else {
      throw nonsense("it names another host, \(stream.host), for the result")
    }
    return QueuedScan.Job(id: answer.jobId, streamURL: stream.text)
  }

  private static func isUsable(_ jobID: String) -> Bool {
    (1...128).contains(jobID.utf8.count) && jobID.first != "."
      && jobID.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0)
          || [45, 46, 95].contains($0)
      }
  }

  /// The error for a job whose results cannot be used.
  func badAnswer(_ reason: String) -> BackendError {
    BackendError(
      .failed(endsJob: true),
      "Cannot use the answer of \(server.host): \(reason); this is a fault of the server: report it to the server's operator."
    )
  }

  /// The error for an answer that does not come from a backend, and so says nothing about the scan.
  func nonsense(_ reason: String, endsJob: Bool = false) -> BackendError {
    BackendError(
      .unavailable(endsJob: endsJob, for: nil),
      "Cannot use the answer of \(server.host): \(reason); the scan waits and is tried again.")
  }

  /// The error for an unexpected status. Releases the answer.
  func refusal(of stream: HTTPStream, _ action: String) -> BackendError {
    stream.release()
    let status = stream.head.status
    if status == 429 {
      let seconds = pause(stream.head)
      return BackendError(
        .limited(for: seconds),
        "\(server.host) takes no more scans for \(Int(seconds.rounded(.up))) seconds: its limit is reached; scans stay queued."
      )
    }
    guard (400...499).contains(status), status != 408, status != 425 else {
      return BackendError(
        .unavailable(endsJob: false, for: asksToWait(stream.head)),
        "\(server.host) could not \(action): status \(status); the scan waits and is tried again.")
    }
    // The server is processing another request with the same key (IETF draft "The Idempotency-Key HTTP Header Field").
    if status == 409 {
      return BackendError(
        .failed(endsJob: false),
        "\(server.host) could not \(action): status 409, a conflict; it is tried again.")
    }
    return BackendError(
      .rejected,
      "\(server.host) refused to \(action): status \(status); check the address of --server or ask its "
        + "operator, then retry or drop the scan.")
  }
}

extension TalariaClient {
  /// The pause that `Retry-After` requests beside a status such as 503. Nil without that header.
  private func asksToWait(_ head: ResponseHead) -> TimeInterval? {
    head.headers["retry-after"] == nil ? nil : pause(head)
  }

  /// The pause of all requests. A date in the header is relative to the server's clock, which its `Date` header tells; ours may be wrong.
  private func pause(_ head: ResponseHead) -> TimeInterval {
    let date = head.headers["date"].flatMap { HTTPDate.parse($0, now: clock.now) }
    return settings.retry.pause(retryAfter: head.headers["retry-after"], now: date ?? clock.now)
  }
}

extension BackendError {
  init(_ error: TransferError) {
    switch error.kind {
    case .cancelled: self.init(.cancelled, error.description)
    case .unreachable, .timedOut, .wrongKey, .untrusted, .redirected: self.init(.offline, error.description)
    case .tooLarge, .invalid: self.init(.unavailable(endsJob: false, for: nil), error.description)
    }
  }
}
