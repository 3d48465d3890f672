import Delivery
import Foundation
import GRDB
import Locking
import TalariaServer

/// Kills a scanning process at random moments, lets a last one finish in peace, and counts.
struct CrashTrial {
  let directory: String
  let kills: Int
  let seed: UInt64
  /// Milliseconds after its start within which a process is killed.
  var lifetime = 1...120

  struct Outcome: CustomStringConvertible {
    var kills = 0
    /// Scans the processes had said were accepted.
    var acknowledged = 0
    var delivered = 0
    var lost = 0
    var doubled = 0
    var imagesLeft = 0
    /// Made at the backend, and still open there.
    var jobs = 0
    var openJobs = 0
    var isConsistent = false

    var isClean: Bool {
      lost == 0 && doubled == 0 && imagesLeft == 0 && openJobs == 0 && isConsistent && acknowledged > 0
    }
    var description: String {
      """
      \(kills) kills: \(acknowledged) scans acknowledged, \(delivered) delivered, \(lost) lost, \(doubled) doubled, \
      \(imagesLeft) images left, \(jobs) jobs made, \(openJobs) open, library \(isConsistent ? "consistent" : "DAMAGED")
      """
    }
  }

  func run() async throws -> Outcome {
    let faults = FaultScript()
    let read = Locked<[String: Int]>([:])
    let server = try TalariaServer(faults: faults) { upload in
      let key = String(decoding: (upload.image ?? []).prefix(36), as: UTF8.self)
      read.withLock { $0[key, default: 0] += 1 }
      return [FoundBook(title: "Book \(key)")]
    }
    var chance = SplitMix(state: seed)
    var acknowledged: Set<String> = []
    for _ in 0..<kills {
      disturb(faults, &chance)
      let milliseconds = Int.random(in: lifetime, using: &chance)
      acknowledged.formUnion(try Victim(directory: directory, server: server.url).liveFor(milliseconds))
    }
    return try await finish(server, acknowledged, read)
  }

  /// Some of the trouble a network has.
  private func disturb(_ faults: FaultScript, _ chance: inout SplitMix) {
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
    _ server: TalariaServer, _ acknowledged: Set<String>, _ read: Locked<[String: Int]>
  ) async throws -> Outcome {
    var outcome = Outcome(kills: kills, acknowledged: acknowledged.count)
    do {
      let store = try Store(directory: directory)
      try await store.queue.retry()
      try await ScanningProcess.courier(store, server: server.url).drain()
    }
    let found = try await DatabasePool(path: "\(directory)/swiftwing.sqlite").read { try Shelf($0) }
    let distinct = Set(found.titles).count
    let readAgain = read.withLock { counts in counts.values.reduce(0, +) - counts.count }
    outcome.delivered = found.receipts.count
    outcome.lost = acknowledged.subtracting(found.receipts).count + max(0, found.receipts.count - distinct)
    outcome.doubled =
      found.titles.count - distinct + max(0, found.sightings - found.receipts.count) + readAgain
    outcome.isConsistent = found.check == ["ok"]
    outcome.imagesLeft = try FileManager.default.contentsOfDirectory(atPath: "\(directory)/images").count
    outcome.jobs = server.statistics.jobs
    outcome.openJobs = server.statistics.openJobs
    return outcome
  }
}

/// What the store holds in the end.
private struct Shelf: Sendable {
  let receipts: Set<String>
  let titles: [String]
  let sightings: Int
  let check: [String]

  init(_ database: Database) throws {
    receipts = Set(try String.fetchAll(database, sql: "SELECT scanKey FROM receipt"))
    titles = try String.fetchAll(database, sql: "SELECT title FROM book")
    sightings = try Int.fetchOne(database, sql: "SELECT count(*) FROM sighting") ?? 0
    let integrity = try String.fetchAll(database, sql: "PRAGMA integrity_check")
    check = integrity + (try Row.fetchAll(database, sql: "PRAGMA foreign_key_check").map { _ in "orphan" })
  }
}

/// Vigna's SplitMix64: the same moments for the same seed.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
