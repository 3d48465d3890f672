import BookScan
import FoundationEssentials
import Library
import Uploads

/// The ways of a station that need a backend. The station's uploader uses this object as its backend. Scans that fall back to this machine are read
/// by the station's reader, and need no job.
final class BackendWays: Backend {
  private let remote: any Backend
  private let recognition: Recognition
  private let here: QueueReader
  private let tell: LoggedEvents

  /// - Parameters:
  ///   - here: the reader of the uploader's store.
  ///   - tell: receives what happens to scans that are read on this machine.
  init(_ remote: any Backend, _ recognition: Recognition, here: QueueReader, tell: LoggedEvents) {
    self.remote = remote
    self.recognition = recognition
    self.here = here
    self.tell = tell
  }

  private var routes: Routes { recognition.routes }
  private var journal: ScanJournal { recognition.journal }
  private var clock: any DeliveryClock { recognition.clock }

  func submit(
    _ submission: Submission, idempotencyKey: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    while true {
      let way = routes.way(of: submission.key, at: clock.uptime) ?? .local
      do {
        let job = try await hand(over: submission, by: way, idempotencyKey)
        if let job { routes.note(job, of: submission.key, by: way, at: clock.uptime) }
        return job
      } catch {
        if way != .local { tellReach(error) }
        guard change(from: way, for: submission.key, because: error) else { throw error }
      }
    }
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    let known = routes.route(of: job)
    do {
      let findings = try await within(
        known.map { recognition.settings.limit - (clock.uptime - $0.began) }, at: known?.way
      ) { () async throws(BackendError) in
        try await self.remote.follow(job, of: scan, report: report)
      }
      journal.note(isReached: true)
      return journal.register(findings, of: scan)
    } catch {
      tellReach(error)
      let isLeft =
        known.map { change(from: $0.way, for: scan, because: error) }
        ?? routes.leaves(job, because: error, at: clock.uptime)
      guard isLeft else { throw error }
      throw BackendError(.superseded, error.description)
    }
  }

  func cleanUp(_ jobID: String) async throws(BackendError) {
    routes.forget(job: jobID)
    try await remote.cleanUp(jobID)
  }
}

// MARK: - One way

extension BackendWays {
  private func hand(
    over submission: Submission, by way: RecognitionWay, _ key: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    switch way {
    case .local:
      here.hold(submission)
      return try await finish(submission.key, .unread)
    case .hybrid:
      journal.note(.began(submission.key, way))
      return try await sendText(of: submission, "\(key)-text")
    case .backend:
      journal.note(.began(submission.key, way))
      return try await send(try await small(submission), key, way: way)
    }
  }

  private func sendText(
    of submission: Submission, _ key: String
  ) async throws(BackendError) -> QueuedScan.Job? {
    let lines: [String]
    switch submission.content {
    case .text(let text): lines = text
    case .image(let bytes, _):
      guard let reader = recognition.reader else {
        throw BackendError(
          .rejected, "Cannot read the scan: this machine has no recogniser; run `swiftwing models`.")
      }
      do {
        let reading = try await here.photo(bytes, of: submission.key, by: reader)
        lines = SpineLines.lines(reading.sightings.map(\.spine))
      } catch {
        return try await finish(submission.key, .failed(error))
      }
    }
    // A photo without text is finished: the backend could find nothing either.
    if lines.isEmpty { return try await finish(submission.key, .empty) }
    let text = Submission(
      key: submission.key, content: .text(lines), capturedAt: submission.capturedAt,
      metadata: submission.metadata)
    return try await send(text, key, way: .hybrid)
  }

  /// Finishes a scan on this machine.
  /// - Returns: nil, since it needs no job.
  private func finish(_ key: UUID, _ part: QueueReader.Part) async throws(BackendError) -> QueuedScan.Job? {
    do { tell.yield(try await here.finish(key, part)) } catch {
      // The uploader tries to postpone the scan, and reports trouble with the library.
      throw BackendError(.failed(endsJob: false), error.description)
    }
    return nil
  }

  private func send(
    _ submission: Submission, _ key: String, way: RecognitionWay
  ) async throws(BackendError) -> QueuedScan.Job? {
    let job = try await within(recognition.settings.limit, at: way) { () async throws(BackendError) in
      try await self.remote.submit(submission, idempotencyKey: key)
    }
    journal.note(isReached: true)
    return job
  }

  private func small(_ submission: Submission) async throws(BackendError) -> Submission {
    guard case .image(let bytes, _) = submission.content else { return submission }
    var submission = submission
    do {
      let (picture, news) = try await recognition.uploads.develop(bytes, of: submission.key)
      submission.content = .image(picture, mediaType: "image/jpeg")
      if let news { journal.note(.sized(submission.key, news)) }
    } catch is CancellationError {
      throw BackendError(.cancelled, "Stopped: the scan stays queued.")
    } catch {
      throw BackendError(.rejected, "Cannot send the scan. \(error) Then retry the scan, or drop it.")
    }
    return submission
  }

  /// Changes the way of a scan after an error.
  /// - Returns: whether there is another way.
  private func change(from way: RecognitionWay, for scan: UUID, because error: BackendError) -> Bool {
    guard let next = routes.next(after: way, for: scan, because: error, at: clock.uptime) else {
      return false
    }
    let fallback = Fallback(scan: scan, from: way, to: next, reason: error.description)
    journal.note(.fellBack(fallback))
    do throws(DeliveryError) { try recognition.record?.add(fallback, at: clock.now) } catch {
      journal.note(.storageTrouble(reason: error.description))
    }
    return true
  }

  private func tellReach(_ error: BackendError) {
    switch error.kind {
    case .offline, .unavailable: journal.note(isReached: false, reason: error.description)
    case .limited: journal.note(isReached: true)
    case .failed, .rejected, .superseded, .cancelled: break
    }
  }

  /// Limits the time of `body`, unless no other way follows.
  private func within<Value: Sendable>(
    _ seconds: TimeInterval?, at way: RecognitionWay?,
    _ body: @escaping @Sendable () async throws(BackendError) -> Value
  ) async throws(BackendError) -> Value {
    guard let seconds, let way, routes.hasNext(after: way) else { return try await body() }
    let outcome = await withTaskGroup(of: Result<Value, BackendError>?.self) { group in
      group.addTask {
        do throws(BackendError) { return .success(try await body()) } catch { return .failure(error) }
      }
      let end = clock.uptime + seconds
      group.addTask { [clock] in
        let wait = end - clock.uptime
        if wait > 0 { try? await clock.sleep(for: wait) }
        return nil
      }
      let first = await group.next() ?? nil
      group.cancelAll()
      return first
    }
    if Task.isCancelled { throw BackendError(.cancelled, "Stopped: the scan stays queued.") }
    guard let outcome else {
      throw BackendError(
        .failed(endsJob: true),
        "The backend took longer than \(Int(recognition.settings.limit)) seconds for the way "
          + "\(way.rawValue), so the way \(routes.name(after: way)) takes over; to wait for a slow backend, "
          + "scan with --no-fallback.")
    }
    return try outcome.get()
  }
}
