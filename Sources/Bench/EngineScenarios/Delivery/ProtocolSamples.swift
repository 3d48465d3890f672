import Probes

/// Hand-written logs for the self-test: one of a client that obeys every rule, and others that break one rule each.
extension ProtocolLog {
  static let sample = ProtocolLog(
    row: scans(8), refused: refusedPlay(gaps: [1, 2]), broken: brokenPlay(), limited: limitedPlay(pause: 2))

  /// The logs, by the rule that each breaks.
  static let spoiledSamples: [(rule: String, log: ProtocolLog)] = [
    ("upload", spoiled { $0.row.requests[0].fields[0].mediaType = "text/plain" }),
    ("stream", spoiled { $0.row.requests[1].headers["accept-encoding"] = "identity" }),
    ("reconnect", spoiled { $0.broken.requests[2].headers["last-event-id"] = nil }),
    ("backoff", spoiled { $0.refused = refusedPlay(gaps: [1, 0.5]) }),
    ("once", spoiled { $0.broken.titles.append($0.broken.titles[0]) }),
    ("cleanup", spoiled { $0.row.requests.removeLast() }),
    ("limit", spoiled { $0.limited = limitedPlay(pause: 0.4) }),
    (
      "connections",
      spoiled { log in
        for index in log.row.requests.indices { log.row.requests[index].connection = index + 1 }
      }
    ),
  ]

  private static func spoiled(_ change: (inout ProtocolLog) -> Void) -> ProtocolLog {
    var log = sample
    change(&log)
    return log
  }

  private static func upload(at time: Double) -> Request {
    Request(
      time: time, connection: 1, method: "POST", path: "/v3/jobs/scans",
      headers: ["content-type": "multipart/form-data; boundary=b", "idempotency-key": "key"],
      fields: [Field(name: "image", mediaType: "image/jpeg", size: 20_000)])
  }

  private static func stream(_ job: Int, at time: Double, after event: String? = nil) -> Request {
    var headers = ["accept": "text/event-stream", "accept-encoding": "gzip"]
    headers["last-event-id"] = event
    return Request(
      time: time, connection: 1, method: "GET", path: "/v3/jobs/scans/\(job)/events", headers: headers,
      fields: [])
  }

  private static func cleanup(_ job: Int, at time: Double) -> Request {
    Request(
      time: time, connection: 1, method: "DELETE", path: "/v3/jobs/scans/\(job)/cleanup", headers: [:],
      fields: [])
  }

  private static func scans(_ count: Int) -> Play {
    let requests = (0..<count).flatMap { job in
      let time = Double(job)
      return [upload(at: time), stream(job, at: time + 0.1), cleanup(job, at: time + 0.2)]
    }
    return play(requests, scans: count)
  }

  private static func refusedPlay(gaps: [Double]) -> Play {
    var times = [0.0]
    for gap in gaps { times.append((times.last ?? 0) + gap) }
    let end = times.last ?? 0
    return play(times.map { upload(at: $0) } + [stream(1, at: end), cleanup(1, at: end)], scans: 1)
  }

  private static func brokenPlay() -> Play {
    play([upload(at: 0), stream(1, at: 0), stream(1, at: 1, after: "2"), cleanup(1, at: 1)], scans: 1)
  }

  private static func limitedPlay(pause: Double) -> Play {
    play([upload(at: 0), upload(at: pause), stream(1, at: pause), cleanup(1, at: pause)], scans: 1)
  }

  private static func play(_ requests: [Request], scans: Int) -> Play {
    Play(
      requests: requests, imageSizes: Array(repeating: 20_000, count: scans), delivered: scans,
      titles: (0..<scans * 2).map { "Book \($0)" })
  }
}
