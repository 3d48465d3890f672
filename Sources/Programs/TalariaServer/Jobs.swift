import Foundation
import HTTPService
import System

/// A book in this server's results.
public struct FoundBook: Sendable, Equatable, Codable {
  public var title: String
  public var author: String?
  public var isbn: String?
  public var coverUrl: String?
  public var format: String?
  public var confidence: Double?

  public init(
    title: String, author: String? = nil, isbn: String? = nil, coverUrl: String? = nil, format: String? = nil,
    confidence: Double? = nil
  ) {
    self.title = title
    self.author = author
    self.isbn = isbn
    self.coverUrl = coverUrl
    self.format = format
    self.confidence = confidence
  }
}

/// A client's upload: the fields of its form.
public struct Upload: Sendable {
  public var parts: [FormPart]
  /// The part of the upload budget, held as long as a copy of the upload exists.
  var share: Share?
  public var image: [UInt8]? { part("image")?.content }
  public var text: String? { part("text").map { String(decoding: $0.content, as: UTF8.self) } }

  func part(_ name: String) -> FormPart? { parts.first { $0.name == name } }
}

struct StreamEvent: Equatable {
  let id: Int
  let type: String
  let data: String
  var wire: String { "id: \(id)\nevent: \(type)\ndata: \(data)\n\n" }
}

/// The jobs and their events.
///
/// `@unchecked Sendable`: all state is accessed only while `condition` is locked.
final class Jobs: @unchecked Sendable {
  private struct Job {
    var events: [StreamEvent] = []
    var isOver = false
    var bytes: Int { events.reduce(0) { $0 + $1.data.utf8.count } }
  }

  private let condition = Locked(())
  private var jobs: [String: Job] = [:]
  /// The job of each idempotency key, by the key's bytes.
  private var jobOfKey: [[UInt8]: String] = [:]
  private var latestKeys: RecentNames
  private var latestJobs: RecentNames
  private let byteLimit: Int
  /// The size of all events in bytes.
  private var bytes = 0
  private var made = 0
  private var cleanedUp = 0
  private var isClosed = false

  /// - Parameters:
  ///   - keyLimit: the maximum number of idempotency keys; beyond it the oldest is forgotten.
  ///   - jobLimit: the maximum number of jobs that are kept because their clients never clean up; beyond it the oldest is forgotten.
  ///   - byteLimit: the maximum size of the events of all jobs together; beyond it the oldest jobs are forgotten.
  init(keyLimit: Int = 100_000, jobLimit: Int = 10_000, byteLimit: Int = 64 << 20) {
    self.byteLimit = byteLimit
    latestKeys = RecentNames(limit: keyLimit)
    latestJobs = RecentNames(limit: jobLimit)
  }

  /// The job of an idempotency key, created if it is new, and whether it is new.
  func job(forKey key: String) -> (id: String, isNew: Bool) {
    condition.withLock { _ in
      if let id = jobOfKey[Array(key.utf8)] { return (id, false) }
      made += 1
      let id = UUID().uuidString.lowercased()
      if let old = latestJobs.add(id) { forget(old) }
      if let old = latestKeys.add(key) { jobOfKey[Array(old.utf8)] = nil }
      jobs[id] = Job()
      jobOfKey[Array(key.utf8)] = id
      return (id, true)
    }
  }

  func append(_ type: String, _ data: String, to id: String) {
    condition.withLock { _ in
      guard let count = jobs[id]?.events.count else { return }
      jobs[id]?.events.append(StreamEvent(id: count + 1, type: type, data: data))
      if type == "complete" || type == "error" { jobs[id]?.isOver = true }
      bytes += data.utf8.count
      while bytes > byteLimit, let old = latestJobs.removeOldest(but: id) { forget(old) }
      condition.notify()
    }
  }

  private func forget(_ id: String) { bytes -= jobs.removeValue(forKey: id)?.bytes ?? 0 }

  enum News: Equatable {
    case events([StreamEvent], isOver: Bool)
    case nothing, unknown
  }

  /// The events after event number `last`. Waits for them at most `seconds`.
  func news(of id: String, after last: Int, within seconds: TimeInterval) -> News {
    condition.wait(atMost: seconds) { _ -> News? in
      guard let job = jobs[id], !isClosed else { return .unknown }
      guard job.events.count > last || job.isOver else { return nil }
      return .events(Array(job.events.dropFirst(max(last, 0))), isOver: job.isOver)
    } ?? .nothing
  }

  /// Forgets a job. Its key stays in use.
  /// - Returns: whether the job existed.
  func cleanUp(_ id: String) -> Bool {
    condition.withLock { _ in
      guard jobs[id] != nil else { return false }
      forget(id)
      cleanedUp += 1
      return true
    }
  }

  func close() {
    condition.withLock { _ in
      isClosed = true
      condition.notify()
    }
  }

  var counts: (made: Int, open: Int, cleanedUp: Int) {
    condition.withLock { _ in (made, jobs.count, cleanedUp) }
  }
}

/// The latest names, up to a limit.
struct RecentNames {
  private let limit: Int
  /// A ring of names. Removed names are nil.
  private var names: [String?] = []
  private var oldest = 0

  init(limit: Int) { self.limit = limit }

  /// Adds a name. Returns the oldest name if it is displaced.
  mutating func add(_ name: String) -> String? {
    guard names.count >= limit else {
      names.append(name)
      return nil
    }
    defer { oldest = (oldest + 1) % limit }
    let gone = names[oldest]
    names[oldest] = name
    return gone
  }

  /// Removes and returns the oldest name other than `name`. Nil if there is none.
  mutating func removeOldest(but name: String) -> String? {
    for step in names.indices {
      let place = (oldest + step) % names.count
      guard let old = names[place], old != name else { continue }
      names[place] = nil
      return old
    }
    return nil
  }
}
