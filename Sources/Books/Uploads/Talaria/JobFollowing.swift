import Bibliography
public import FoundationEssentials
public import Library

/// Follows a job's event stream to its end, over any number of connections.
extension TalariaClient {
  public func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    guard let address = WebAddress(job.streamURL), address.origin == server.origin else {
      throw BackendError(
        .superseded,
        "The scan's job is not at \(server.host) but at a backend named before; the scan is handed over anew."
      )
    }
    var watch = JobWatch(
      results: JobResults(job: "\(scan.fileName)/\(job.id)"), deadline: clock.uptime + settings.jobLimit,
      report: report)
    // Consecutive connections without news: those that failed in any way, and those that the server ended properly.
    var (failures, ends) = (0, 0)
    while true {
      let heard = watch.newsCount
      let trouble: BackendError
      var isEnd = false
      do {
        if try await listen(to: address, &watch) { return watch.results.findings }
        trouble = nonsense("the event stream ends before the job does")
        isEnd = true
      } catch {
        guard error.isWorthReconnecting else { throw error }
        trouble = error
      }
      let hasNews = watch.newsCount > heard
      failures = hasNews ? 1 : failures + 1
      ends = (hasNews ? 0 : ends) + (isEnd ? 1 : 0)
      guard let delay = settings.retry.delay(afterFailures: failures) else {
        throw ends == failures ? incomplete(after: failures) : trouble
      }
      try await pause(for: max(delay, watch.askedDelay), within: watch.deadline)
    }
  }

  /// Listens on one connection.
  /// - Returns: whether the job has ended successfully.
  private func listen(to address: WebAddress, _ watch: inout JobWatch) async throws(BackendError) -> Bool {
    let remaining = watch.deadline - clock.uptime
    guard remaining > 0 else { throw tookTooLong }
    var headers = headers(accept: "text/event-stream") + [("Cache-Control", "no-cache")]
    if watch.results.hasGap { watch.lastEventID = "" }
    if !watch.lastEventID.isEmpty { headers.append(("Last-Event-ID", watch.lastEventID)) }
    let request = HTTPRequest(
      url: address.text, headers: headers, timeout: Int((remaining * 1000).rounded(.up)),
      silence: settings.silence)
    let stream: HTTPStream
    do { stream = try await transport.open(request) } catch { throw BackendError(error) }
    defer { stream.release() }
    if let refusal = refusal(ofStream: stream) { throw refusal }
    return try await read(stream, &watch)
  }

  private func read(_ stream: HTTPStream, _ watch: inout JobWatch) async throws(BackendError) -> Bool {
    var parser = EventStreamParser(lastEventID: watch.lastEventID, limit: settings.eventLimit)
    while true {
      let bytes: [UInt8]?
      do { bytes = try await stream.next() } catch { throw BackendError(whileReading: error) }
      guard let bytes else { return false }
      watch.byteCount += bytes.count
      guard watch.byteCount <= JobWatch.byteLimit else {
        stream.cancel()
        throw badAnswer("it sends over \(JobWatch.byteLimit >> 20) MB of one job")
      }
      let events: [ServerSentEvent]
      do { events = try parser.parse(bytes[...]) } catch {
        stream.cancel()
        throw badAnswer(error.reason)
      }
      if let milliseconds = parser.reconnectionMilliseconds {
        watch.askedDelay = min(Double(milliseconds) / 1000, 30)
      }
      for event in events {
        watch.lastEventID = event.lastEventID
        try take(event, &watch)
        guard watch.results.isWhole else { continue }
        await stream.settle()
        return true
      }
    }
  }

  private func take(_ event: ServerSentEvent, _ watch: inout JobWatch) throws(BackendError) {
    watch.eventCount += 1
    guard watch.eventCount <= JobWatch.eventLimit else {
      throw badAnswer("it sends events of one job without end")
    }
    switch try meaning(of: event) {
    case .progress(let stage, let fraction):
      watch.note(progress: stage, fraction)
      if watch.mayReport(at: clock.uptime) { watch.report(.working(stage: stage, fraction: fraction)) }
    case .result(let index, let book):
      switch watch.results.add(book, index: index, eventID: event.lastEventID) {
      case .news(let finding):
        watch.note(book)
        watch.report(.found(finding))
      case .known: break
      case .tooMuch: throw badAnswer("it sends books of one job without end")
      }
    case .complete(let books): watch.results.complete(expecting: books)
    case .failure(let message, let isRetryable):
      throw BackendError(
        isRetryable ? .failed(endsJob: true) : .rejected,
        "\(server.host) could not read the scan: \(message); take the photo again or retry later.")
    case .other: break
    }
  }

  private func meaning(of event: ServerSentEvent) throws(BackendError) -> TalariaEvent {
    do { return try TalariaEvent(event) } catch let malformed as TalariaEvent.Malformed {
      throw badAnswer(malformed.reason)
    } catch {
      throw badAnswer("an event of kind \(CleanText.line(event.type, characters: 20)) cannot be read")
    }
  }

  /// The error if the answer is not a readable event stream. Nil if it is one.
  private func refusal(ofStream stream: HTTPStream) -> BackendError? {
    let status = stream.head.status
    if status == 404 || status == 410 || status == 204 {
      return nonsense("it no longer knows the job", endsJob: true)
    }
    guard status == 200 else { return refusal(of: stream, "tell of the job") }
    let type = stream.head.headers["content-type"]?.split(separator: ";").first?.lowercased() ?? ""
    let isStream = type.trimmingSuffix { $0 == " " } == "text/event-stream"
    return isStream
      ? nil
      : nonsense("it sends \(type.isEmpty ? "something" : CleanText.line(type, characters: 40)), not events")
  }

  private var tookTooLong: BackendError {
    nonsense("the job took longer than \(Int(settings.jobLimit)) seconds", endsJob: true)
  }

  /// The error for a job whose event streams end before the job, without news. A further connection would not help.
  private func incomplete(after streams: Int) -> BackendError {
    BackendError(
      .rejected,
      "Cannot use the answer of \(server.host): \(streams) event streams in a row ended before the job, with nothing new; this is a fault of the server: report it to the server's operator, then retry the scan."
    )
  }

  private func pause(for seconds: TimeInterval, within deadline: TimeInterval) async throws(BackendError) {
    guard clock.uptime + seconds < deadline else { throw tookTooLong }
    do { try await clock.sleep(for: seconds) } catch {
      throw BackendError(.cancelled, "Stopped following a job: it was cancelled; the scan stays queued.")
    }
  }
}

/// The state of a job while it is followed.
private struct JobWatch {
  /// The deadline, by the clock's uptime.
  let deadline: TimeInterval
  let report: @Sendable (JobProgress) -> Void
  var results: JobResults
  var lastEventID = ""
  /// The delay in seconds that the stream's `retry:` field requests.
  var askedDelay: TimeInterval = 0
  var eventCount = 0
  var byteCount = 0
  /// The number of items reported for the first time. Only these count as progress and reset the pauses between connections.
  private(set) var newsCount = 0
  private var nextReport = -TimeInterval.infinity
  private var stages: [String: Int] = [:]
  private var books: Set<String> = []

  /// The maximum numbers of events, bytes and different stages of one job over all its connections. A thousand books, reported several times, stay
  /// far below these limits.
  static let (eventLimit, byteLimit, stageLimit) = (10_000, 64 << 20, 20)

  init(results: JobResults, deadline: TimeInterval, report: @escaping @Sendable (JobProgress) -> Void) {
    self.results = results
    self.deadline = deadline
    self.report = report
  }

  /// Notes a stage. A stage is news once, and then for each hundredth beyond the furthest so far.
  mutating func note(progress stage: String, _ fraction: Double?) {
    let hundredths = Int((fraction ?? 0) * 100)
    guard stages[stage].map({ hundredths > $0 }) ?? (stages.count < Self.stageLimit) else { return }
    stages[stage] = hundredths
    newsCount += 1
  }

  /// Notes a book without an index. If a stream that starts over reports the book again, it is not news.
  mutating func note(_ book: BookFinding) {
    if books.insert("\(book.isbn ?? "")\n\(book.title)\n\(book.author)").inserted { newsCount += 1 }
  }

  /// Whether progress may be reported again: at most ten times per second, however often the backend sends it.
  mutating func mayReport(at now: TimeInterval) -> Bool {
    guard now >= nextReport else { return false }
    nextReport = now + 0.1
    return true
  }
}

extension BackendError {
  /// An established connection that falls silent is a failure of the backend, not of the network.
  fileprivate init(whileReading error: TransferError) {
    if error.kind == .timedOut {
      self.init(.unavailable(endsJob: false, for: nil), error.description)
    } else {
      self.init(error)
    }
  }

  /// Whether a new connection may help: yes after a broken connection or a server error, no after an error in the stream or a requested pause.
  fileprivate var isWorthReconnecting: Bool {
    kind == .offline || kind == .unavailable(endsJob: false, for: nil)
  }
}
