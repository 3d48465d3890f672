import ArgumentParser
import BookScan
import Console
import Foundation
import Library
import ScanStation
import System
import Uploads

/// The command that `scripts/prove-delivery` runs. The recogniser's process is killed at random while scans go from the queue to
/// the library. Prints one JSON object at the end; the status is 1 if a scan was affected.
struct WorkerTrialCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Kill the recogniser's process while scans are read, and print what was noticed.")

  @Option(help: "How often to kill it.") var kills = 100
  @Option(help: "Seed of the moments of the kills.") var seed: UInt64 = 1
  @Option(
    parsing: .upToNextOption,
    help: "Measure instead how many milliseconds longer these photos take in that process.")
  var cost: [String] = []
  @Option(help: "How often to read each of them.") var rounds = 5
  @Argument(help: "An empty folder.") var folder: String?

  func validate() throws {
    if cost.isEmpty, folder == nil {
      throw ValidationError("name an empty folder, or give --cost with photos")
    }
  }

  func run() async throws {
    guard let folder else {
      return try Terminal.say(line: try WorkerCost(files: cost, rounds: rounds))
    }
    var settings = ScriptedReader.settings
    settings.startLimit = .seconds(300)
    let outcome = try await WorkerTrial(folder: folder, settings: settings, kills: kills, seed: seed).run()
    try Terminal.say(line: outcome)
    guard outcome.isClean else { throw ExitCode.failure }
  }
}

struct WorkerOutcome: Encodable {
  var kills = 0
  /// The number of processes that replaced killed ones.
  var replacements = 0
  /// The median of the times until a replacement could read, milliseconds.
  var medianReplacement = 0.0
  /// The longest time until a replacement could read, milliseconds.
  var slowestReplacement = 0.0
  var accepted = 0
  /// The number of scans that were reported as delivered.
  var delivered = 0
  var failed = 0
  /// The number of scans with another scan's book, or with a number of books other than one.
  var wrong = 0
  var doubled = 0
  var books = 0
  var seconds = 0.0

  var isClean: Bool {
    accepted > 0 && delivered == accepted && books == accepted && failed + wrong + doubled == 0
  }
}

/// Delivers scans through queue, recogniser and library, while the recogniser's process is killed again and again.
struct WorkerTrial {
  private let folder: String
  private let worker: RecognitionWorker
  /// The time that a process takes until it can read, milliseconds. Kills come at multiples of this time, because otherwise nothing would
  /// ever be read.
  private let pace: Double
  private let kills: Int
  private let seed: UInt64

  init(folder: String, settings: RecognitionWorker.Settings, kills: Int, seed: UInt64) throws {
    let began = MonotonicTime.now()
    worker = try RecognitionWorker(settings)
    pace = max((MonotonicTime.now() - began).milliseconds, 20)
    self.folder = folder
    self.kills = kills
    self.seed = seed
  }

  func run() async throws -> WorkerOutcome {
    let began = MonotonicTime.now()
    let store = try Store(directory: folder)
    let reader = QueueReader(
      store: store, reader: PhotoReader(worker: worker, level: .fast), journal: ScanJournal())
    let log = DeliveryLog()
    let reading = Task { await reader.run { log.note($0) } }
    var outcome = WorkerOutcome()
    let killing = Task { await kill() }
    let titles = try await accept(reader, store, until: killing)
    outcome.kills = await killing.value
    outcome.accepted = titles.count
    while try await !store.queue.counts().isDrained { try await Task.sleep(for: .milliseconds(5)) }
    reading.cancel()
    await reading.value
    let counts = try await store.queue.counts()
    outcome.failed = counts.failed
    outcome.delivered = counts.delivered
    let books = try await store.library.books(limit: titles.count + 1).map(\.title)
    outcome.books = books.count
    (outcome.wrong, outcome.doubled) = log.compare(titles)
    outcome.wrong += Set(titles.values).symmetricDifference(books).count
    measure(&outcome)
    outcome.seconds = (MonotonicTime.now() - began).milliseconds / 1000
    return outcome
  }

  private func measure(_ outcome: inout WorkerOutcome) {
    let times = worker.replacementTimes.map(\.milliseconds).sorted()
    outcome.replacements = times.count
    outcome.medianReplacement = times.isEmpty ? 0 : times[times.count / 2]
    outcome.slowestReplacement = times.last ?? 0
  }

  /// Kills the process at random intervals.
  /// - Returns: the number of processes that were running and were killed.
  private func kill() async -> Int {
    var random = SplitMix64(seed: seed)
    var count = 0
    while count < kills, !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(Int(pace * Double.random(in: 1...10, using: &random))))
      count += worker.killProcess() ? 1 : 0
    }
    return count
  }

  /// Keeps some scans in the queue until the last kill.
  /// - Returns: the expected title of each scan.
  private func accept(
    _ reader: QueueReader, _ store: Store, until killing: Task<Int, Never>
  ) async throws -> [UUID: String] {
    let picture = try ScriptedPhoto.picture()
    let isOver = Locked(false)
    Task {
      _ = await killing.value
      isOver.withLock { $0 = true }
    }
    var random = SplitMix64(seed: seed &+ 1)
    var titles: [UUID: String] = [:]
    while !isOver.withLock({ $0 }) {
      guard try await store.queue.counts().pending < 8 else {
        try await Task.sleep(for: .milliseconds(2))
        continue
      }
      let title = ScriptedPhoto.title(&random)
      let script = "book=\(title) wait=\(Int.random(in: 0...20, using: &random))"
      let photo = picture + ScriptedPhoto.ending(script)
      let submission = Submission(content: .image(photo, mediaType: "image/jpeg"))
      try await store.queue.accept(submission)
      reader.wake()
      titles[submission.key] = title
    }
    return titles
  }
}

/// The books that were delivered for each scan.
private final class DeliveryLog: Sendable {
  private let books = Locked<[UUID: [[String]]]>([:])

  func note(_ event: UploaderEvent) {
    if case .delivered(let key, let shelved) = event {
      books.withLock { $0[key, default: []].append(shelved.map(\.title)) }
    }
  }

  /// Counts scans with wrong books, and scans that were reported more than once.
  func compare(_ titles: [UUID: String]) -> (wrong: Int, doubled: Int) {
    books.withLock { books in
      (
        titles.count { key, title in (books[key] ?? []).contains { $0 != [title] } },
        books.values.count { $0.count > 1 }
      )
    }
  }
}
