package import EngineScenarios
import Foundation
import Library
import System
import TalariaServer
import Uploads

/// Kills a scanning process repeatedly at random moments, lets the last one finish, and counts lost and doubled scans.
package struct CrashTrial: Sendable {
  private let directory: String
  private let kills: Int
  private let seed: UInt64
  private let fillsDisk: Bool
  private let spoils: Bool
  private let findsAtOnce: Bool
  private let lifetime: ClosedRange<Int>

  /// Prepares a trial.
  /// - Parameters:
  ///   - fillsDisk: whether the disk is filled and freed again all the time. Only for a small disk.
  ///   - spoils: whether to discard an accepted scan and leave an image behind, to check that both are counted.
  ///   - findsAtOnce: whether the process finds the books itself, instead of a backend with jobs.
  ///   - lifetime: the range of times from the process's first line until it is killed, milliseconds.
  package init(
    directory: String, kills: Int, seed: UInt64, fillsDisk: Bool = false, spoils: Bool = false,
    findsAtOnce: Bool = false, lifetime: ClosedRange<Int> = 1...80
  ) {
    self.directory = directory
    self.kills = kills
    self.seed = seed
    self.fillsDisk = fillsDisk
    self.spoils = spoils
    self.findsAtOnce = findsAtOnce
    self.lifetime = lifetime
  }

  package func run() async throws -> CrashOutcome {
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
    // Without jobs there is nothing to clean up.
    if findsAtOnce { outcome.moments[Moment.cleanup.rawValue] = nil }
    outcome.fillings = filler?.stop() ?? 0
    outcome.acknowledged = acknowledged.count
    return try await finish(server, acknowledged, read: read, outcome: outcome)
  }

  /// Adds a random network fault now and then.
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
      try await ScanningProcess.delivery(store, server: findsAtOnce ? nil : server.url).drain()
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
    outcome.findings += shelf.findings
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
