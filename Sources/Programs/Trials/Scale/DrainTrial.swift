package import EngineScenarios
import Foundation
import Library
import System
import Uploads

/// Delivers a long queue to a backend in another process on this machine.
package struct DrainTrial: Sendable {
  private let directory: String
  private let scans: Int
  /// The number of scans in each part of the queue that is timed.
  private let part: Int
  /// The delay added to each scan, in milliseconds per preceding part, so that each part is slower than the one before.
  private let slowing: Int

  package init(directory: String, scans: Int, part: Int, slowing: Int) {
    self.directory = directory
    self.scans = scans
    self.part = part
    self.slowing = slowing
  }

  package func run() async throws -> DrainOutcome {
    var outcome = DrainOutcome()
    let backend = try BackendProcess()
    defer { backend.end() }
    let store = try Store(directory: "\(directory)/store")
    var began = ContinuousClock.now
    try await fill(store)
    outcome.queueSeconds = (ContinuousClock.now - began) / .seconds(1)
    outcome.scans = try await store.queue.counts().pending
    outcome.memory = [ProcessMemory.resident]
    let client = try TalariaClient(
      TalariaSettings(server: backend.url), device: BackendIdentity(directory: store.directory))
    let meter = Meter(base: client, part: part, slowing: slowing)
    began = ContinuousClock.now
    await Uploader(store: store, backend: meter, retry: ScanningProcess.retry).drain()
    outcome.rates = meter.rates(since: began)
    outcome.memory += [meter.highestMemory, ProcessMemory.resident]
    outcome.delivered = try await store.queue.counts().delivered
    return outcome
  }

  /// Fills the queue with several tasks at once, unlike a scan. This is not timed.
  private func fill(_ store: Store) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for first in 0..<8 {
        group.addTask { [scans] in
          for number in stride(from: first, to: scans, by: 8) {
            try await store.queue.accept(Submission(content: .text(["Book \(number) of a long queue"])))
          }
        }
      }
      try await group.waitForAll()
    }
  }
}

/// Passes submissions to another backend, and records when the books of each part have arrived. When the books of a scan arrive, the scan
/// before it has been committed.
private final class Meter: Backend {
  private struct Log {
    var count = 0
    var marks: [ContinuousClock.Instant] = []
    var memory = 0
  }

  private let base: any Backend
  private let part: Int
  private let slowing: Int
  private let log = Locked(Log())

  init(base: any Backend, part: Int, slowing: Int) {
    self.base = base
    self.part = part
    self.slowing = slowing
  }

  func submit(_ submission: Submission, idempotencyKey: String) async throws(BackendError) -> QueuedScan.Job?
  {
    let delay = slowing * (log.withLock { $0.count } / part)
    if delay > 0 { try? await Task.sleep(for: .milliseconds(delay)) }
    return try await base.submit(submission, idempotencyKey: idempotencyKey)
  }

  func follow(
    _ job: QueuedScan.Job, of scan: UUID, report: @escaping @Sendable (JobProgress) -> Void
  ) async throws(BackendError) -> [Finding] {
    let findings = try await base.follow(job, of: scan, report: report)
    log.withLock { log in
      log.count += 1
      guard log.count.isMultiple(of: part) else { return }
      log.marks.append(.now)
      log.memory = max(log.memory, ProcessMemory.resident)
    }
    return findings
  }

  func cleanUp(_ jobID: String) async throws(BackendError) { try await base.cleanUp(jobID) }

  var highestMemory: Int { log.withLock { $0.memory } }

  func rates(since began: ContinuousClock.Instant) -> [Double] {
    let marks = [began] + log.withLock { $0.marks }
    return zip(marks, marks.dropFirst()).map { (Double(part) / (($1 - $0) / .seconds(1))).rounded() }
  }
}
