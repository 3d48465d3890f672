import Foundation
import Harness
import Library
import System
import TalariaServer
import Uploads

/// Kills a scanning process at random moments, lets the last one finish, and counts what became of the scans.
struct CrashTrial {
  let directory: String
  let kills: Int
  let seed: UInt64
  /// Whether the disk is filled up and freed all the while; only on a small one.
  var fillsDisk = false
  /// Whether an accepted scan is thrown away and an image left behind, to see them counted.
  var spoils = false
  /// Whether the process finds the books itself, in place of the backend with its jobs.
  var findsAtOnce = false
  /// Milliseconds after its first word within which a process is killed.
  var lifetime = 1...80

  func run() async throws -> CrashOutcome {
    let faults = FaultScript()
    let read = Locked<[String: Int]>([:])
    let server = try TalariaServer(faults: faults) { upload in
      let key = String(decoding: (upload.image ?? []).prefix(36), as: UTF8.self)
      read.withLock { $0[key, default: 0] += 1 }
      return [FoundBook(title: "Book \(key)")]
    }
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let filler = fillsDisk ? try DiskFiller(folder: directory) : nil
    var chance = SplitMix64(seed: seed)
    var outcome = CrashOutcome()
    var acknowledged: Set<String> = []
    for _ in 0..<kills {
      disturb(faults, &chance)
      let milliseconds = Int.random(in: lifetime, using: &chance)
      let life = try Victim(directory: "\(directory)/store", server: findsAtOnce ? nil : server.url)
        .liveFor(milliseconds)
      acknowledged.formUnion(life.accepted)
      outcome.note(life)
    }
    // There are no jobs to clean up after.
    if findsAtOnce { outcome.moments[Moment.cleanup.rawValue] = nil }
    outcome.fillings = filler?.stop() ?? 0
    outcome.acknowledged = acknowledged.count
    return try await finish(server, acknowledged, read: read, outcome: outcome)
  }

  /// Some of the trouble a network has.
  private func disturb(_ faults: FaultScript, _ chance: inout SplitMix64) {
    let troubles: [(Fault, Endpoint)] = [
      (.reset, .upload), (.drop, .upload), (.status(503), .upload), (.halfEvent, .stream), (.reset, .stream),
      (.duplicateEvents, .stream), (.drop, .cleanup), (.delay(20), .upload), (.delay(20), .stream),
      (.delay(20), .cleanup),
    ]
    guard Int.random(in: 0..<3, using: &chance) == 0,
      let (fault, endpoint) = troubles.randomElement(using: &chance)
    else { return }
    faults.add(fault, to: endpoint)
  }

  private func finish(
    _ server: TalariaServer, _ acknowledged: Set<String>, read: Locked<[String: Int]>,
    outcome: CrashOutcome
  ) async throws -> CrashOutcome {
    let folder = "\(directory)/store"
    var acknowledged = acknowledged
    do {
      let store = try Store(directory: folder)
      if spoils { acknowledged.insert(try await Self.throwAway(store)) }
      try await store.queue.retry()
      try await ScanningProcess.uploader(store, server: findsAtOnce ? nil : server.url).drain()
      if spoils { try Data([1]).write(to: URL(filePath: "\(folder)/images/left")) }
    }
    let shelf = try await StoreContents.read(folder)
    var outcome = outcome
    let distinct = Set(shelf.titles).count
    let readAgain = read.withLock { counts in counts.values.reduce(0, +) - counts.count }
    outcome.delivered = shelf.receipts.count
    outcome.lost = acknowledged.subtracting(shelf.receipts).count + max(0, shelf.receipts.count - distinct)
    outcome.doubled =
      shelf.titles.count - distinct + max(0, shelf.sightings - shelf.receipts.count) + readAgain
    outcome.findings = shelf.findings
    outcome.imagesLeft = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/images").count
    outcome.jobs = server.statistics.jobs
    outcome.openJobs = server.statistics.openJobs
    return outcome
  }

  private static func throwAway(_ store: Store) async throws -> String {
    let submission = Submission(content: .image([1], mediaType: "image/jpeg"))
    try await store.queue.accept(submission)
    try await store.queue.drop(submission.key)
    return submission.key.uuidString.lowercased()
  }
}
