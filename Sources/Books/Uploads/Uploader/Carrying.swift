import FoundationEssentials
import Library

/// The work of the uploader: delivering one scan, from the queue to the library, and performing one cleanup, which deletes a finished job and its
/// image at the backend.
extension Uploader {
  /// Processes the scan from its present state to the library, or as far as possible this time.
  nonisolated func carry(_ scan: QueuedScan) async {
    var scan = scan
    do {
      do {
        guard let findings = try await findings(of: &scan) else { return }
        await noteReached()
        try Self.check(findings)
        await forgetOutage(of: scan.id)
        if let shelved = try await store.queue.deliver(scan, findings: findings, at: clock.now) {
          tell.yield(.delivered(scan.key, shelved))
        } else {
          tell.yield(.dropped(scan.key))
        }
      } catch let error as BackendError {
        try await handle(error, of: scan)
      } catch let error as DeliveryError where error.kind == .damaged {
        // Waiting does not help, and other scans may be unaffected, so give up on this scan.
        try await giveUp(scan, error.description, endingJob: false)
      }
    } catch let error as DeliveryError {
      await noteStorageTrouble(error)
    } catch {}
  }

  /// The findings of the scan's job.
  /// - Returns: nil if the scan cannot be submitted, needs no job, or was dropped meanwhile.
  private nonisolated func findings(of scan: inout QueuedScan) async throws -> [Finding]? {
    if scan.job == nil {
      guard let job = try await submit(scan) else {
        await forgetOutage(of: scan.id)
        return nil
      }
      await noteReached()
      guard try await store.queue.markUploaded(scan, job: job) else {
        tell.yield(.dropped(scan.key))
        return nil
      }
      tell.yield(.uploaded(scan.key))
      scan.job = job
    }
    guard let job = scan.job else { return nil }
    return try await backend.follow(job, of: scan.key) { [tell, key = scan.key] in
      tell.yield(.progress(key, $0))
    }
  }

  /// Checks that the library can store every finding. Delivering deletes the image, so a scan with unusable findings must not count as delivered.
  private static func check(_ findings: [Finding]) throws(BackendError) {
    guard findings.allSatisfy({ $0.book.normalized() != nil }) else {
      throw BackendError(
        .failed(endsJob: true),
        "Cannot add the recognised books: one has neither a title nor an ISBN; report this to the "
          + "author of the backend."
      )
    }
    guard Set(findings.map(\.id)).count == findings.count else {
      throw BackendError(
        .failed(endsJob: true),
        "Cannot add the recognised books: two books of one scan have the same id; report this to the "
          + "author of the backend."
      )
    }
  }

  /// Submits the scan. Nil if it cannot be read from disk, or needs no job.
  private nonisolated func submit(_ scan: QueuedScan) async throws -> QueuedScan.Job? {
    tell.yield(.uploading(scan.key))
    let submission: Submission
    do { submission = try await store.queue.submission(of: scan) } catch {
      try await handle(unreadable: scan, error)
      return nil
    }
    return try await backend.submit(submission, idempotencyKey: scan.idempotencyKey)
  }

  private nonisolated func handle(_ error: BackendError, of scan: QueuedScan) async throws(DeliveryError) {
    switch error.kind {
    case .cancelled: break
    case .offline:
      let until = await noteUnreachable(error.description)
      try await postpone(scan, until: until, error, counting: false, endingJob: false)
    case .unavailable(let endsJob, let asked):
      let quiet = await noteUnreachable(error.description, for: asked)
      // Each retry makes the backend work in vain, perhaps for ever, so the delay grows.
      let own = endsJob ? await after(retry.growingDelay(afterFailures: scan.generation + 1)) : quiet
      let until = await noteOutage(of: scan.id, max(quiet, own))
      try await postpone(scan, until: until, error, counting: false, endingJob: endsJob)
    case .superseded:
      try await postpone(scan, until: await present, error, counting: false, endingJob: true)
    case .limited(let seconds):
      await noteReached()
      let until = try await noteLimit(for: seconds)
      try await postpone(scan, until: until, error, counting: false, endingJob: false)
    case .failed(let endsJob):
      await noteReached()
      guard let delay = retry.delay(afterFailures: scan.attempts + 1) else {
        return try await giveUp(
          scan, "After \(scan.attempts + 1) tries: \(error.description)", endingJob: endsJob)
      }
      try await postpone(scan, until: await after(delay), error, counting: true, endingJob: endsJob)
    case .rejected:
      await noteReached()
      try await giveUp(scan, error.description, endingJob: true)
    }
  }

  /// Handles a scan that cannot be read. It is given up if its image is gone or its data are damaged; other obstacles may pass, so it is tried
  /// again.
  private nonisolated func handle(
    unreadable scan: QueuedScan, _ error: DeliveryError
  ) async throws(DeliveryError) {
    let isGone = scan.mediaType != nil && store.isInPlace && !store.images.holds(scan.key.fileName)
    guard isGone || error.kind == .damaged else {
      let until = await after(retry.offlineInterval)
      try await store.queue.postpone(
        scan, until: until, failure: error.description, counting: false, endingJob: false)
      tell.yield(.postponed(scan.key, until: await wall(until), reason: error.description))
      return
    }
    try await giveUp(scan, error.description, endingJob: false)
  }

  private nonisolated func postpone(
    _ scan: QueuedScan, until date: Date, _ error: BackendError, counting: Bool, endingJob: Bool
  ) async throws(DeliveryError) {
    try await store.queue.postpone(
      scan, until: date, failure: error.description, counting: counting, endingJob: endingJob)
    tell.yield(.postponed(scan.key, until: await wall(date), reason: error.description))
  }

  private nonisolated func giveUp(
    _ scan: QueuedScan, _ reason: String, endingJob: Bool
  ) async throws(DeliveryError) {
    await forgetOutage(of: scan.id)
    try await store.queue.fail(scan, failure: reason, endingJob: endingJob)
    tell.yield(.failed(scan.key, reason: reason))
  }

  /// Performs a cleanup. Nothing waits for it. After a failure it is tried as often as a scan, and then forgotten; an outage is waited out, since
  /// otherwise the image would stay at the backend.
  nonisolated func perform(_ cleanup: ScanQueue.Cleanup) async {
    do {
      do {
        try await backend.cleanUp(cleanup.jobID)
        await noteReached()
        await noteCleanup(isTrouble: false)
        try await store.queue.finishCleanup(of: cleanup.jobID)
        tell.yield(.cleanedUp(jobID: cleanup.jobID))
      } catch let error as BackendError {
        try await handle(error, of: cleanup)
      }
    } catch let error as DeliveryError {
      await noteStorageTrouble(error)
    } catch {}
  }

  private nonisolated func handle(_ error: BackendError, of cleanup: ScanQueue.Cleanup)
    async throws(DeliveryError)
  {
    switch error.kind {
    case .cancelled: break
    case .offline:
      let until = await noteUnreachable(error.description)
      try await store.queue.postponeCleanup(of: cleanup.jobID, until: until, counting: false)
    case .unavailable(_, let asked):
      await noteCleanup(isTrouble: true, for: asked)
      let wait = max(retry.growingDelay(afterFailures: cleanup.attempts + 1), asked ?? 0)
      try await store.queue.postponeCleanup(of: cleanup.jobID, until: await after(wait), counting: true)
    case .limited(let seconds):
      let until = try await noteLimit(for: seconds)
      try await store.queue.postponeCleanup(of: cleanup.jobID, until: until, counting: false)
    case .failed:
      guard let delay = retry.delay(afterFailures: cleanup.attempts + 1) else {
        return try await giveUp(cleanup)
      }
      try await store.queue.postponeCleanup(of: cleanup.jobID, until: await after(delay), counting: true)
    case .rejected, .superseded: try await giveUp(cleanup)
    }
  }

  private nonisolated func giveUp(_ cleanup: ScanQueue.Cleanup) async throws(DeliveryError) {
    try await store.queue.finishCleanup(of: cleanup.jobID)
    tell.yield(.cleanedUp(jobID: cleanup.jobID))
  }
}
