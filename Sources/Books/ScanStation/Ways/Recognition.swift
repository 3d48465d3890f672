public import BookScan
public import FoundationEssentials
public import Imagery
public import Library
public import Uploads

/// Converts submissions to books, by the first way that works. A `Recognition` is the uploader's backend.
///
/// A submission holds the photo. The way `local` reads it on this machine; `hybrid` reads it here and sends the text to the backend; `backend` sends
/// the photo, scaled down. If a way fails or is slow, the next way is tried (`WaySettings`), and this is reported and recorded.
public final class Recognition: Backend {
  let settings: WaySettings
  private let remote: (any Backend)?
  private let reader: PhotoReader?
  private let uploads: UploadPicture
  private let clock: any DeliveryClock
  private let journal: ScanJournal
  private let record: FallbackRecord?
  let routes: Routes

  /// - Parameters:
  ///   - remote: the backend. Nil disables the ways that need it.
  ///   - reader: the reader on this machine. Nil disables the ways that need it.
  ///   - uploads: the limits of an image that is sent.
  ///   - legibility: chooses the size of sent images, in place of `uploads.longSide`; nil, the default, keeps that size. With a solver, photos
  ///     are stored at full size until they are sent, and each costs several readings.
  ///   - journal: receives fallbacks and findings.
  ///   - folder: the folder of the library, where `fallbacks.jsonl` records the fallbacks. Nil records none.
  public init(
    _ settings: WaySettings, remote: (any Backend)?, reader: PhotoReader?,
    uploads: PhotoSettings = PhotoSettings(), legibility: LegibilitySolver? = nil,
    clock: any DeliveryClock = WallClock(), journal: ScanJournal, recordingIn folder: String? = nil
  ) {
    self.settings = settings
    self.remote = remote
    self.reader = reader
    self.uploads = UploadPicture(uploads, solver: legibility)
    self.clock = clock
    self.journal = journal
    record = folder.map { FallbackRecord(folder: $0) }
    let usable = settings.ways.filter {
      switch $0 {
      case .local: reader != nil
      case .hybrid: reader != nil && remote != nil
      case .backend: remote != nil
      }
    }
    routes = Routes(settings: settings, ways: usable)
  }

  /// The ways that are available, in the order in which they are tried.
  public var ways: [RecognitionWay] { routes.ways }

  /// Whether photos are needed at full size: to be read here, or to choose the size that is sent.
  var wantsFullSize: Bool { uploads.choosesSize || ways.contains(where: \.readsHere) }

  /// The settings for taking photos for these ways.
  public var photoSettings: PhotoSettings {
    wantsFullSize
      ? PhotoSettings(
        longSide: nil, maximumLongSide: ImageLimits.side, quality: 95, maximumBytes: nil,
        writesMetadata: false)
      // No metadata: the photo may be sent to a backend, which should not learn its time and camera.
      : PhotoSettings(writesMetadata: false)
  }

  /// Forgets a scan that has left the queue.
  func forget(scan: UUID) {
    routes.forget(scan: scan)
    uploads.forget(scan)
  }

  public func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError)
    -> BackendAnswer
  {
    while true {
      guard let way = routes.way(of: submission.key, at: clock.uptime) else {
        throw BackendError(
          .rejected,
          "Cannot recognise the scan: there is neither a recogniser nor a backend; run `swiftwing models`, "
            + "or name a backend with --server or SWIFTWING_TALARIA_URL."
        )
      }
      do {
        let answer = try await hand(over: submission, by: way, idempotencyKey)
        if case .accepted(let job) = answer {
          routes.note(job, of: submission.key, by: way, at: clock.uptime)
        }
        return answer
      } catch {
        if way != .local { tellReach(error) }
        guard change(from: way, for: submission.key, because: error) else { throw error }
      }
    }
  }

  public func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    guard let remote else {
      throw BackendError(
        .superseded,
        "Cannot ask for the books of a scan: no backend is named now; the scan is recognised anew.")
    }
    let known = routes.route(of: job)
    do {
      let findings = try await within(
        known.map { settings.limit - (clock.uptime - $0.began) }, at: known?.way
      ) {
        () async throws(BackendError) in try await remote.follow(job, of: scan, report: report)
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

  public func cleanUp(_ jobID: String) async throws(BackendError) {
    routes.forget(job: jobID)
    try await remote?.cleanUp(jobID)
  }
}

// MARK: - One way

extension Recognition {
  private func hand(
    over submission: Submission, by way: RecognitionWay, _ key: String
  ) async throws(BackendError) -> BackendAnswer {
    journal.note(.began(submission.key, way))
    switch way {
    case .local:
      return .finished(try await read(submission))
    case .hybrid:
      let lines = try await textLines(of: submission)
      // A photo without text is finished: the backend could find nothing either.
      guard !lines.isEmpty else { return .finished([]) }
      let text = Submission(
        key: submission.key, content: .text(lines), capturedAt: submission.capturedAt,
        metadata: submission.metadata)
      return try await send(text, "\(key)-text", way: way)
    case .backend:
      return try await send(try await small(submission), key, way: way)
    }
  }

  private func send(
    _ submission: Submission, _ key: String, way: RecognitionWay
  ) async throws(BackendError) -> BackendAnswer {
    guard let remote else {
      throw BackendError(.rejected, "No backend is named; name one with --server or SWIFTWING_TALARIA_URL.")
    }
    let answer = try await within(settings.limit, at: way) { () async throws(BackendError) in
      try await remote.submit(submission, idempotencyKey: key)
    }
    journal.note(isReached: true)
    guard case .finished(let findings) = answer else { return answer }
    return .finished(journal.register(findings, of: submission.key))
  }

  private func small(_ submission: Submission) async throws(BackendError) -> Submission {
    guard case .image(let bytes, _) = submission.content else { return submission }
    var submission = submission
    do {
      let (picture, news) = try await uploads.develop(bytes, of: submission.key)
      submission.content = .image(picture, mediaType: "image/jpeg")
      if let news { journal.note(.sized(submission.key, news)) }
    } catch is CancellationError {
      throw BackendError(.cancelled, "Stopped: the scan stays queued.")
    } catch {
      throw BackendError(.rejected, "Cannot send the scan: \(error); drop it and take the photo again.")
    }
    return submission
  }

  private func textLines(of submission: Submission) async throws(BackendError) -> [String] {
    switch submission.content {
    case .text(let lines): lines
    case .image(let bytes, _): SpineLines.lines(try await reading(of: bytes).sightings.map(\.spine))
    }
  }

  private func read(_ submission: Submission) async throws(BackendError) -> [Finding] {
    // The scan was read before, but the library could not be written.
    if let known = journal.findings(of: submission.key) { return known }
    switch submission.content {
    case .text(let lines):
      let books = SpineLines.parse(lines.joined(separator: "\n")).map {
        BookFinding(isbn: $0.isbn, title: $0.title, author: $0.author ?? "")
      }.filter { $0.normalized() != nil }
      return books.enumerated().map { number, book in
        Finding(id: .named("\(submission.key.uuidString)/\(number)"), book)
      }
    case .image(let bytes, _):
      return journal.register(try await reading(of: bytes), of: submission.key)
    }
  }

  private func reading(of bytes: [UInt8]) async throws(BackendError) -> PhotoReader.Reading {
    guard let reader else {
      throw BackendError(.rejected, "There is no recogniser on this machine; run `swiftwing models`.")
    }
    do { return try await reader.read(bytes) } catch ScanError.ended(_, let reason) {
      throw BackendError(.died, "The recogniser's process ended while reading the scan (\(reason)).")
    } catch let error as ScanError where error.isUnavailability {
      // The scan is not to blame.
      throw BackendError(.failed(endsJob: false), error.description)
    } catch {
      throw BackendError(.rejected, "Cannot read the scan: \(error)")
    }
  }

  /// Changes the way of a scan after an error.
  /// - Returns: whether there is another way.
  private func change(from way: RecognitionWay, for scan: UUID, because error: BackendError) -> Bool {
    guard let next = routes.next(after: way, for: scan, because: error, at: clock.uptime) else {
      return false
    }
    let fallback = Fallback(scan: scan, from: way, to: next, reason: error.description)
    journal.note(.fellBack(fallback))
    do throws(DeliveryError) { try record?.add(fallback, at: clock.now) } catch {
      journal.note(.storageTrouble(reason: error.description))
    }
    return true
  }

  private func tellReach(_ error: BackendError) {
    switch error.kind {
    case .offline, .unavailable: journal.note(isReached: false, reason: error.description)
    case .limited: journal.note(isReached: true)
    case .failed, .rejected, .superseded, .cancelled, .died: break
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
        .failed(endsJob: true), "The backend took longer than \(Int(settings.limit)) seconds; it is slow.")
    }
    return try outcome.get()
  }
}
