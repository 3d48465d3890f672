import Foundation
import System
import Testing

@testable import Library
@testable import Uploads

/// The limits on what a backend may send about one job.
@Suite struct JobBoundsTests {
  private func client(_ server: CannedServer) throws -> (client: TalariaClient, job: QueuedScan.Job) {
    let client = try TalariaClient(
      .patient(server.url), device: BackendIdentity(secret: "s"), clock: InstantClock())
    return (client, QueuedScan.Job(id: "a", streamURL: "\(server.url)/a"))
  }

  private func stream(_ events: String) -> CannedServer {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    return CannedServer(["/a": Array((head + events).utf8)])
  }

  private func follow(
    _ events: String, report: @escaping @Sendable (JobProgress) -> Void = { _ in }
  ) async throws -> [BookFinding] {
    let server = stream(events)
    let (client, job) = try client(server)
    return try await client.follow(job, of: UUID(), report: report).map(\.book)
  }

  private static func result(_ json: String) -> String { "event: result\ndata: \(json)\n\n" }
  private static let complete = "event: complete\ndata:\n\n"

  private static let malformed: [(events: String, reason: String)] = [
    (result("{}") + complete, "a result has neither a title nor an ISBN whose check digit holds"),
    (result(#"{"title":" \u202e ","isbn":"123"}"#) + complete, "a result has neither a title nor an ISBN"),
    (result(#"{"index":-1,"title":"Dune"}"#) + complete, "the index of a result is -1, not 0 to 999"),
    (result(#"{"index":1000,"title":"Dune"}"#) + complete, "the index of a result is 1000"),
    (result(#"{"title":7}"#) + complete, "an event of kind result cannot be read"),
    ("event: complete\ndata: {\"books\":-1}\n\n", "it counts -1 books, not 0 to 1000"),
    ("event: complete\ndata: {\"books\":1001}\n\n", "it counts 1001 books, not 0 to 1000"),
    ("event: complete\ndata: {\"books\":0.5}\n\n", "an event of kind complete cannot be read"),
    (
      "id: " + String(repeating: "i", count: 2000) + "\n\n" + complete,
      "one event id is larger than 1024 bytes"
    ),
    (
      result(#"{"title":""# + String(repeating: "x", count: 66_000) + "\"}"),
      "one event is larger than 65536 bytes"
    ),
  ]

  @Test(arguments: malformed)
  func malformedJobIsAnErrorOfTheJob(events: String, reason: String) async throws {
    let error = await #expect(throws: BackendError.self) { try await follow(events) }
    #expect(error?.kind == .failed(endsJob: true))
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  /// LIB-1: a result that lacks data is still a book; a later scan may add them.
  @Test func partialResultIsABook() async throws {
    let books = try await follow(
      Self.result(#"{"title":"Dune","isbn":"123"}"#) + Self.result(#"{"isbn":"9780441172719"}"#)
        + Self.complete)
    #expect(books == [BookFinding(title: "Dune"), BookFinding(isbn: "9780441172719", title: "")])
  }

  @Test func floodOfProgressIsToldTenTimesASecondAndEnds() async throws {
    let told = Locked(0)
    let flood = String(repeating: "event: progress\ndata: {\"stage\":\"x\"}\n\n", count: 10_001)
    let error = await #expect(throws: BackendError.self) {
      try await follow(flood) { _ in told.withLock { $0 += 1 } }
    }
    #expect(error?.description.contains("it sends events of one job without end") == true)
    #expect(told.withLock { $0 } == 1)
  }

  @Test func booksWithoutEndAreRefusedAndRepeatedOnesAreNot() async throws {
    let books = (0..<1000).map { Self.result(#"{"index":\#($0),"title":"Book \#($0)"}"#) }.joined()
    #expect(try await follow(books + books + Self.complete).count == 1000)
    let unnumbered = (0...1000).map { Self.result(#"{"title":"Book \#($0)"}"#) }.joined()
    let error = await #expect(throws: BackendError.self) { try await follow(unnumbered) }
    #expect(error?.description.contains("it sends books of one job without end") == true)
  }

  /// A book's id depends on the scan and on the book's index in the job, so the id is the same after a restart or a broken stream.
  @Test func findingsHaveTheirIdsFromTheJob() async throws {
    let events =
      Self.result(#"{"index":1,"title":"Emma"}"#) + Self.result(#"{"index":0,"title":"Dune"}"#)
      + Self.result(#"{"title":"Walden"}"#) + Self.complete
    let server = stream(events)
    let (client, job) = try client(server)
    let (one, other) = (UUID(), UUID())
    let first = try await client.follow(job, of: one) { _ in }
    #expect(first.map(\.book.title) == ["Dune", "Emma", "Walden"] && Set(first.map(\.id)).count == 3)
    #expect(try await client.follow(job, of: one) { _ in } == first)
    #expect(Set(try await client.follow(job, of: other) { _ in }.map(\.id)).isDisjoint(with: first.map(\.id)))
    // The results arrive in another order, and each keeps its id.
    let turned =
      Self.result(#"{"index":0,"title":"Dune"}"#) + Self.result(#"{"index":1,"title":"Emma"}"#)
      + Self.complete
    let otherServer = stream(turned)
    let again = try self.client(otherServer)
    #expect(try await again.client.follow(again.job, of: one) { _ in }.map(\.id) == first.prefix(2).map(\.id))
    withExtendedLifetime((server, otherServer)) {}
  }

  /// The stored data of a job are bounded, whatever the backend sends.
  @Test func longTitlesAreCutBeforeTheyAreKept() async throws {
    let title = String(repeating: "x", count: 60_000)
    let books = try await follow(
      (0..<100).map { Self.result(#"{"index":\#($0),"title":"\#(title)"}"#) }.joined() + Self.complete)
    #expect(books.count == 100 && books.allSatisfy { $0.title.utf8.count == 1000 })
    var results = JobResults(job: "a")
    let wide = BookFinding(title: String(repeating: "👩‍👩‍👧‍👦", count: 600))
    let taken = (0..<1000).prefix {
      if case .news = results.add(wide, index: $0, eventID: "") { true } else { false }
    }
    #expect(taken.count * wide.title.utf8.count <= 8 << 20 && taken.count < 1000)
  }

  /// The server sends without a pause, but the reader must pause, so that it can be cancelled.
  @Test func floodIsReadByTurnsAndCancelled() async throws {
    let server = FloodServer()
    let client = try TalariaClient(
      .patient(server.url), device: BackendIdentity(secret: "s"), clock: InstantClock())
    let task = Task {
      try await client.follow(QueuedScan.Job(id: "a", streamURL: "\(server.url)/a"), of: UUID()) { _ in }
    }
    await server.untilFlowing()
    task.cancel()
    let error = await #expect(throws: BackendError.self) { try await task.value }
    #expect(error?.kind == .cancelled || error?.description.contains("over 64 MB of one job") == true)
  }
}

/// Sends comments of an event stream without end, as fast as the client reads.
private final class FloodServer: Sendable {
  let url: String
  private let listener: CInt
  private let flowing: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)

  init() {
    let (listener, url) = Loopback.listen()
    (self.listener, self.url) = (listener, url)
    flowing = AsyncStream.makeStream(of: Void.self)
    let tell = flowing.continuation
    Thread.detachNewThread {
      let connection = accept(listener, nil, nil)
      let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
      _ = send(connection, head, head.utf8.count, CInt(MSG_NOSIGNAL))
      let piece = String(repeating: ": flood\n\n", count: 7000)
      var sent = 0
      while case let count = send(connection, piece, piece.utf8.count, CInt(MSG_NOSIGNAL)), count > 0 {
        sent += count
        if sent > 4 << 20 { tell.yield() }
      }
      tell.finish()
      close(connection)
      close(listener)
    }
  }

  func untilFlowing() async { for await _ in flowing.stream { return } }

  deinit { shutdown(listener, CInt(SHUT_RDWR)) }
}
