import FoundationEssentials
import Harness
import Probes
import System

/// The client's requests, as the server saw them; see `ProtocolOutcome` of the trial.
struct ProtocolLog: Codable, Equatable {
  struct Field: Codable, Equatable {
    var name: String
    var mediaType: String?
    var size: Int
  }

  struct Request: Codable, Equatable {
    /// Time of the request, in seconds.
    var time: Double
    var connection: Int
    var method: String
    var path: String
    /// The values of the headers, by name in lower case.
    var headers: [String: String]
    var fields: [Field]
  }

  /// One client with one backend.
  struct Play: Codable, Equatable {
    var requests: [Request]
    /// Sizes of the queued images, in bytes.
    var imageSizes: [Int]
    var delivered: Int
    /// Titles of the books that were added to the library.
    var titles: [String]
  }

  /// Several scans in a row, without faults.
  var row: Play
  /// The upload is answered with 503 twice.
  var refused: Play
  /// The event stream breaks off in the middle of an event; the next stream sends each event twice.
  var broken: Play
  /// The upload is answered with 429 and a request to retry after two seconds.
  var limited: Play

  var plays: [Play] { [row, refused, broken, limited] }
}

extension ProtocolLog.Play {
  var uploads: [ProtocolLog.Request] { requests.filter { $0.method == "POST" } }
  var streams: [ProtocolLog.Request] { requests.filter { $0.method == "GET" } }
  var cleanups: [ProtocolLog.Request] { requests.filter { $0.method == "DELETE" } }
}

/// The rules of the published protocol, each checked on the log alone.
struct ProtocolRules {
  let log: ProtocolLog

  /// Seconds between attempts: 1, 2, 4 (UPL-2).
  private static let waits = [1.0, 2.0, 4.0]
  /// Seconds by which a measured wait may be too short, because of a clock tick in between.
  private static let hair = 0.01
  /// Maximum number of connections for consecutive scans (UPL-5): as many as may be in progress at once.
  private static let connections = 6
  /// Seconds that the answer 429 asks the client to wait.
  private static let pauseOfLimit = 2.0

  var checks: [Check] {
    [upload, stream, reconnection, backoff, once, cleanup, limit, sharing]
  }

  /// - Parameter complaints: the violations, each as a clause.
  private func check(
    _ id: String, _ title: String, requirement: RequirementID, subjects: Int, good: String,
    complaints: [String]
  ) -> Check {
    Check(
      id: "delivery.protocol.\(id)", title: title, passed: complaints.isEmpty, subjects: subjects,
      detail: complaints.isEmpty ? good : complaints.prefix(3).joined(separator: "; "),
      requirement: requirement)
  }

  private var upload: Check {
    let complaints = log.plays.flatMap { play in
      play.uploads.compactMap { request -> String? in
        let images = request.fields.filter { $0.name == "image" }
        if request.path != "/v3/jobs/scans" { return "POST went to \(request.path)" }
        if request.headers["content-type"]?.hasPrefix("multipart/form-data;") != true {
          return "the upload is \(request.headers["content-type"] ?? "of no type")"
        }
        guard images.count == 1, let image = images.first else { return "\(images.count) fields `image`" }
        if image.mediaType != "image/jpeg" {
          return "the media type of the image is \(image.mediaType ?? "nothing")"
        }
        return play.imageSizes.contains(image.size) ? nil : "an image of \(image.size) bytes was never queued"
      }
    }
    return check(
      "upload", "An upload is a form with the picture in it, POSTed to /v3/jobs/scans", requirement: "UPL-1",
      subjects: log.plays.map(\.uploads.count).reduce(0, +),
      good: "\(log.plays.map(\.uploads.count).reduce(0, +)) uploads", complaints: complaints)
  }

  private var stream: Check {
    let streams = log.plays.flatMap(\.streams)
    let complaints = streams.compactMap { request -> String? in
      if !request.path.hasSuffix("/events") { return "GET of \(request.path), which no answer named" }
      if request.headers["accept"] != "text/event-stream" { return "it does not ask for an event stream" }
      return request.headers["accept-encoding"]?.contains("gzip") == true ? nil : "it does not ask for gzip"
    }
    return check(
      "stream", "The stream that the answer names is requested, as gzip", requirement: "UPL-2",
      subjects: streams.count,
      good: "\(streams.count) streams", complaints: complaints)
  }

  private var reconnection: Check {
    let streams = log.broken.streams
    var complaints: [String] = []
    if streams.count != 2 { complaints.append("\(streams.count) connections instead of 2") }
    if let first = streams.first, let last = streams.last, streams.count > 1 {
      if last.path != first.path { complaints.append("it requested another stream") }
      if last.headers["last-event-id", default: ""].isEmpty {
        complaints.append("it did not say which event it had last")
      }
      if last.time - first.time < Self.waits[0] - Self.hair {
        complaints.append("it came back after \(milliseconds(last.time - first.time)) ms")
      }
    }
    return check(
      "reconnect", "A stream that breaks off is taken up again after a second, from its last event",
      requirement: "UPL-2",
      subjects: streams.count,
      good: "it went on behind event \(streams.last?.headers["last-event-id"] ?? "")",
      complaints: complaints)
  }

  private var backoff: Check {
    let uploads = log.refused.uploads
    let gaps = zip(uploads, uploads.dropFirst()).map { $1.time - $0.time }
    var complaints: [String] = []
    if uploads.count != 3 { complaints.append("\(uploads.count) tries instead of 3") }
    for (gap, wait) in zip(gaps, Self.waits) where gap < wait - Self.hair {
      complaints.append("a try after \(milliseconds(gap)) ms, too soon by \(milliseconds(wait - gap)) ms")
    }
    if Set(uploads.map { $0.headers["idempotency-key"] ?? "" }).count > 1 {
      complaints.append("the tries have different keys, so each would be a job of its own")
    }
    return check(
      "backoff", "A refused upload is tried again after 1 s, then 2 s, as the same scan",
      requirement: "UPL-2",
      subjects: gaps.count, good: "after \(gaps.map { "\(milliseconds($0)) ms" }.joined(separator: ", "))",
      complaints: complaints)
  }

  private var once: Check {
    let expected = log.plays.map { $0.imageSizes.count * 2 }
    let seen = log.plays.map(\.titles.count)
    let distinct = log.plays.map { Set($0.titles).count }
    let isRight = seen == expected && distinct == expected
    return check(
      "once", "Every book comes into the library once, whatever the stream does", requirement: "UPL-2",
      subjects: expected.reduce(0, +), good: "\(seen.reduce(0, +)) books",
      complaints: isRight ? [] : ["\(seen) books, \(distinct) of them different, instead of \(expected)"])
  }

  private var cleanup: Check {
    let complaints = log.plays.compactMap { play -> String? in
      let jobs = Set(play.streams.map { $0.path.replacing("/events", with: "") })
      let cleaned = play.cleanups.map { $0.path.replacing("/cleanup", with: "") }
      return Set(cleaned) == jobs && cleaned.count == jobs.count
        ? nil : "\(cleaned.count) cleanups of \(jobs.count) jobs"
    }
    return check(
      "cleanup", "Every job is cleaned up, once", requirement: "UPL-3",
      subjects: log.plays.map(\.cleanups.count).reduce(0, +),
      good: "\(log.plays.map(\.cleanups.count).reduce(0, +)) jobs", complaints: complaints)
  }

  private var limit: Check {
    let uploads = log.limited.uploads
    var complaints: [String] = []
    if uploads.count != 2 { complaints.append("\(uploads.count) tries instead of 2") }
    if let first = uploads.first, let next = log.limited.requests.dropFirst().first,
      next.time - first.time < Self.pauseOfLimit - Self.hair
    {
      complaints.append("it requested again after \(milliseconds(next.time - first.time)) ms")
    }
    return check(
      "limit", "After 429 nothing is sent for the two seconds that `Retry-After` asks for",
      requirement: "UPL-4",
      subjects: uploads.count, good: "nothing was sent for 2 s", complaints: complaints)
  }

  private var sharing: Check {
    let count = Set(log.row.requests.map(\.connection)).count
    return check(
      "connections", "Scans in a row share connections, \(Self.connections) at most", requirement: "UPL-5",
      subjects: log.row.requests.count,
      good: "\(log.row.requests.count) requests of \(log.row.imageSizes.count) scans over \(count)",
      complaints: count <= Self.connections && log.row.requests.count >= 3 * Self.connections
        ? [] : ["\(log.row.requests.count) requests over \(count) connections"])
  }

  private func milliseconds(_ seconds: Double) -> Int { Int((seconds * 1000).rounded()) }
}
