import Foundation
import Glibc
import HTTPService
import System

/// Serves the requests of one connection, until one side ends it.
struct Connection {
  let channel: Channel
  /// The number of the connection, from 1.
  let number: Int
  private var reader: RequestReader
  /// Whether the current answer is the last on this connection.
  private var isLast = false

  init(channel: Channel, number: Int, limits: ServerLimits, budget: Budget) {
    self.channel = channel
    self.number = number
    reader = RequestReader(channel: channel, limits: limits, budget: budget)
  }

  /// Serves one request.
  /// - Returns: whether another request may follow.
  mutating func serveOne(_ server: TalariaServer) -> Bool {
    var fault: Fault?
    var hasFault = false
    let request: IncomingRequest
    do {
      request = try reader.next { request in
        if !hasFault { fault = Self.endpoint(of: request).flatMap(server.faults.next) }
        hasFault = true
        if case .slowReader(let milliseconds) = fault { usleep(UInt32(milliseconds) * 1000) }
      }
    } catch {
      dismiss(error, server)
      return false
    }
    server.witness?(SeenRequest(request, connection: number, time: monotonicSeconds()))
    isLast = !request.isPersistent
    guard let endpoint = Self.endpoint(of: request) else { return answer(404) }
    if !hasFault { fault = server.faults.next(endpoint) }
    if let goesOn = commit(fault) { return goesOn }
    switch endpoint {
    case .upload: return upload(request, fault, server: server)
    case .stream: return stream(request, fault, server: server)
    case .cleanup: return cleanUp(request, server)
    }
  }

  /// Answers the first request of a client without a slot with 503, whatever it is.
  mutating func refuse(_ server: TalariaServer) {
    do {
      _ = try reader.next()
      dismiss(.busy, server)
    } catch {
      dismiss(error == .ended ? .ended : .busy, server)
    }
  }

  /// Sends the last answer to a client that has not sent a complete request, or must not send another.
  private mutating func dismiss(_ trouble: IncomingRequest.Trouble, _ server: TalariaServer) {
    guard let status = trouble.status else { return }
    isLast = true
    _ = trouble == .busy ? answerBusy(server) : answer(status)
    channel.dismiss()
  }

  private func answerBusy(_ server: TalariaServer) -> Bool {
    server.tally.withLock { $0.refused += 1 }
    return answer(503, headers: "Retry-After: \(server.limits.retryAfter)\r\n")
  }

  private static func endpoint(of request: IncomingRequest) -> Endpoint? {
    let path = request.path.split(separator: "/")
    guard path.prefix(3).elementsEqual(["v3", "jobs", "scans"]) else { return nil }
    switch (request.method, path.count, path.last) {
    case ("POST", 3, _): return .upload
    case ("GET", 5, "events"): return .stream
    case ("DELETE", 5, "cleanup"): return .cleanup
    default: return nil
    }
  }

  private static func jobID(of request: IncomingRequest) -> String {
    String(request.path.split(separator: "/")[3])
  }

  /// Commits a fault that delays or replaces the answer.
  /// - Returns: whether another request may follow; nil if the answer must still be sent.
  private func commit(_ fault: Fault?) -> Bool? {
    switch fault {
    case .delay(let milliseconds):
      usleep(UInt32(milliseconds) * 1000)
      return nil
    case .drop: return false
    case .reset:
      channel.resetAtEnd()
      return false
    case .tooManyRequests(let retryAfter): return answer(429, headers: "Retry-After: \(retryAfter)\r\n")
    case .status(let status): return answer(status)
    case .redirect(let target): return answer(307, headers: "Location: \(target)\r\n")
    case nil, .halfEvent, .duplicateEvents, .outOfOrderEvents, .hugeEvent, .silence, .wrongContentType,
      .nonsense,
      .slowReader, .jobError:
      return nil
    }
  }

  private func upload(_ request: IncomingRequest, _ fault: Fault?, server: TalariaServer) -> Bool {
    server.tally.withLock { $0.uploads += 1 }
    guard Self.isKey(request.headers["idempotency-key"]) else { return answer(400) }
    let parts = request.form
    guard parts.contains(where: { $0.name == "image" || $0.name == "text" }) else { return answer(400) }
    let upload = Upload(parts: parts, share: request.share)
    guard (upload.part("text")?.content.count ?? 0) <= ServerLimits.textLimit else { return answer(413) }
    let job = server.jobs.job(forKey: request.headers["idempotency-key"] ?? UUID().uuidString)
    if job.isNew { server.recognize(upload, job: job.id, fault) }
    let body =
      fault == .nonsense
      ? "{\"jobId\": 7}"
      : "{\"jobId\":\"\(job.id)\",\"streamUrl\":\"\(server.url)/v3/jobs/scans/\(job.id)/events\"}"
    return answer(202, type: "application/json", body: body)
  }

  /// Whether the text can be an idempotency key. Keys are kept for long, so they must be short.
  private static func isKey(_ text: String?) -> Bool {
    guard let text else { return true }
    return (1...ServerLimits.keyLimit).contains(text.utf8.count)
  }

  private func cleanUp(_ request: IncomingRequest, _ server: TalariaServer) -> Bool {
    guard server.jobs.cleanUp(Self.jobID(of: request)) else { return answer(404) }
    server.tally.withLock { $0.cleanups += 1 }
    return answer(204)
  }

  private func stream(_ request: IncomingRequest, _ fault: Fault?, server: TalariaServer) -> Bool {
    server.tally.withLock { $0.streams += 1 }
    let gzipped = request.headers["accept-encoding"]?.contains("gzip") == true
    let type = fault == .wrongContentType ? "text/html" : "text/event-stream"
    let job = Self.jobID(of: request)
    guard server.jobs.news(of: job, after: -1, within: 0) != .unknown else { return answer(404) }
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nCache-Control: no-store\r\n"
      + (isLast ? "Connection: close\r\n" : "Transfer-Encoding: chunked\r\n")
      + (gzipped ? "Content-Encoding: gzip\r\n" : "") + "\r\n"
    guard channel.write(Array(head.utf8)) else { return false }
    var stream = EventStreamWriter(
      body: ChunkedBody(channel: channel, gzipped: gzipped, chunked: !isLast), fault: fault,
      heartbeat: server.heartbeat)
    // Events are numbered from 1. With a smaller number the same events would be sent over and over.
    let last = max(Int(request.headers["last-event-id"] ?? "") ?? 0, 0)
    return stream.tell(of: job, in: server.jobs, after: last, silence: server.limits.idleSeconds) && !isLast
  }

  private func answer(_ status: Int, type: String = "text/plain", body: String = "", headers: String = "")
    -> Bool
  {
    let text =
      "HTTP/1.1 \(status) -\r\nContent-Type: \(type)\r\n\(headers)\(isLast ? "Connection: close\r\n" : "")"
      + (status == 204 ? "\r\n" : "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    return channel.write(Array(text.utf8)) && !isLast
  }
}

extension TalariaServer {
  /// Works on the job outside of any connection, and reports its progress as events.
  func recognize(_ upload: Upload, job: String, _ fault: Fault?) {
    Task { [jobs, recognizer] in
      jobs.append("progress", #"{"stage":"reading","fraction":0}"#, to: job)
      if case .jobError(let isRetryable) = fault {
        return jobs.append(
          "error", #"{"message":"the photo is too dark","retryable":\#(isRetryable)}"#, to: job)
      }
      do {
        let books = try await recognizer(upload)
        for (index, book) in books.enumerated() {
          jobs.append("result", try Self.json(IndexedBook(index: index, book: book)), to: job)
        }
        jobs.append("complete", #"{"books":\#(books.count)}"#, to: job)
      } catch {
        let isRetryable = !(error is Unreadable)
        jobs.append("error", #"{"message":"recognition failed","retryable":\#(isRetryable)}"#, to: job)
      }
    }
  }

  private struct IndexedBook: Encodable {
    let index: Int
    let book: FoundBook

    private enum Key: CodingKey { case index }

    func encode(to encoder: any Encoder) throws {
      try book.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(index, forKey: .index)
    }
  }

  private static func json(_ value: some Encodable) throws -> String {
    String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
  }
}
