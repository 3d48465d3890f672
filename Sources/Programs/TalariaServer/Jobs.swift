import Foundation
import HTTPService
import System

/// A book as this server tells of it.
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

/// What a client has uploaded: the fields of its form.
public struct Upload: Sendable {
  public var parts: [FormPart]
  /// Holds a place for it as long as there is a copy.
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

/// The jobs and what has happened in them.
///
/// `@unchecked Sendable`: everything is touched only with `condition` locked.
final class Jobs: @unchecked Sendable {
  private struct Job {
    var events: [StreamEvent] = []
    var isOver = false
    var bytes: Int { events.reduce(0) { $0 + $1.data.utf8.count } }
  }

  private let condition = Locked(())
  private var jobs: [String: Job] = [:]
  /// By the bytes of the key.
  private var jobOfKey: [[UInt8]: String] = [:]
  private var latestKeys: RecentNames
  private var latestJobs: RecentNames
  private let byteLimit: Int
  /// Of all events there are.
  private var bytes = 0
  private var made = 0
  private var cleanedUp = 0
  private var isClosed = false

  /// - Parameters:
  ///   - keyLimit: idempotency keys remembered; the oldest is forgotten for a new one.
  ///   - jobLimit: jobs kept for clients that never have them cleaned up, likewise.
  ///   - byteLimit: what may have been told of in all jobs together; past it, the oldest are forgotten.
  init(keyLimit: Int = 100_000, jobLimit: Int = 10_000, byteLimit: Int = 64 << 20) {
    self.byteLimit = byteLimit
    latestKeys = RecentNames(limit: keyLimit)
    latestJobs = RecentNames(limit: jobLimit)
  }

  /// The job of an idempotency key, and whether it is new.
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

  /// What has happened since the event `last`, waiting for it at most `seconds`.
  func news(of id: String, after last: Int, within seconds: TimeInterval) -> News {
    condition.wait(atMost: seconds) { _ -> News? in
      guard let job = jobs[id], !isClosed else { return .unknown }
      guard job.events.count > last || job.isOver else { return nil }
      return .events(Array(job.events.dropFirst(max(last, 0))), isOver: job.isOver)
    } ?? .nothing
  }

  /// Forgets the job; whether it was known. Its key stays taken.
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

/// The latest names of so many.
struct RecentNames {
  private let limit: Int
  /// A ring; what has been taken out is `nil`.
  private var names: [String?] = []
  private var oldest = 0

  init(limit: Int) { self.limit = limit }

  /// The name that goes, when there is no more room.
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

  /// Takes out the oldest name; `nil` when there is none but `name`.
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
