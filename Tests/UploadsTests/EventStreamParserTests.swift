import Foundation
import Testing

@testable import Library
@testable import Uploads

@Suite struct EventStreamParserTests {
  struct Vector: Decodable, Sendable {
    struct Event: Decodable, Sendable {
      var event: String
      var data: String
      var lastEventId: String?
    }
    struct Extra: Decodable, Sendable {
      var retry: Int?
      var lastEventIdAfter: String?
    }
    var name: String
    var wireFile: String
    var events: [Event]
    var extra: Extra?
  }
  struct Vectors: Decodable { var vectors: [Vector] }

  static let folder = SharedData.folder("sse/wpt")
  private static let decoder: JSONDecoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()
  static let vectors: [Vector] =
    (try? decoder.decode(Vectors.self, from: Data(contentsOf: folder.appending(path: "vectors.json"))))?
    .vectors ?? []

  @Test(.enabled(if: !vectors.isEmpty), arguments: vectors)
  func platformTestHoldsHoweverSplit(_ vector: Vector) throws {
    let wire = [UInt8](try Data(contentsOf: Self.folder.appending(path: vector.wireFile)))
    try check(vector, chunks: [wire[...]])
    try check(vector, chunks: wire.indices.map { wire[$0...$0] })
    for split in wire.indices { try check(vector, chunks: [wire[..<split], wire[split...]]) }
  }

  private func check(_ vector: Vector, chunks: [ArraySlice<UInt8>]) throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    for chunk in chunks { events += try parser.parse(chunk) }
    #expect(events.map(\.type) == vector.events.map(\.event))
    #expect(events.map(\.data) == vector.events.map(\.data))
    for (event, expected) in zip(events, vector.events) where expected.lastEventId != nil {
      #expect(event.lastEventID == expected.lastEventId)
    }
    if let retry = vector.extra?.retry { #expect(parser.reconnectionMilliseconds == retry) }
    if let after = vector.extra?.lastEventIdAfter { #expect(parser.lastEventID == after) }
  }

  @Test func lineEndingsMayMixAndSplit() throws {
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    for byte in Array("id: 7\r\ndata: a\rdata: b\n\r\nevent: e\rdata:\r\r".utf8) {
      events += try parser.parse([byte][...])
    }
    #expect(
      events == [
        ServerSentEvent(type: "message", data: "a\nb", lastEventID: "7"),
        ServerSentEvent(type: "e", data: "", lastEventID: "7"),
      ])
  }

  @Test(arguments: ["data: ", ": ", "id: ", "event: "])
  func eventOverTheLimitIsRefused(field: String) {
    var parser = EventStreamParser(limit: 100)
    #expect(throws: EventTooLarge(limit: 100)) {
      try parser.parse(Array((field + String(repeating: "x", count: 100)).utf8)[...])
    }
  }

  /// Names of events are bounded: the client sends the last id back with every connection.
  @Test(arguments: [("id", EventTooLarge.Part.id), ("event", .type)])
  func namesAreBounded(field: String, part: EventTooLarge.Part) throws {
    var parser = EventStreamParser()
    let longest = String(repeating: "x", count: 1024)
    let event = try parser.parse(Array("\(field): \(longest)\ndata: a\n\n".utf8)[...])[0]
    #expect((part == .id ? event.lastEventID : event.type) == longest)
    let error = #expect(throws: EventTooLarge.self) {
      try parser.parse(Array("\(field): \(longest)x\n".utf8)[...])
    }
    #expect(error == EventTooLarge(part, limit: 1024))
  }

  @Test func eventOfManyShortLinesOverTheLimitIsRefused() {
    var parser = EventStreamParser(limit: 100)
    #expect(throws: EventTooLarge(limit: 100)) {
      try parser.parse(Array(String(repeating: "data\n", count: 30).utf8)[...])
    }
  }

  @Test func endlessStreamOfSmallEventsIsFine() throws {
    var parser = EventStreamParser(limit: 100)
    let count = try (0..<1000).reduce(0) { sum, _ in
      sum + (try parser.parse(Array("data: 1234567890\n\n: beat\n\n".utf8)[...]).count)
    }
    #expect(count == 1000)
  }

  @Test func reconnectionTimeTooLargeForTheClockIsIgnored() throws {
    var parser = EventStreamParser()
    _ = try parser.parse(Array("retry: 99999999999999999999999\n".utf8)[...])
    _ = try parser.parse(Array("retry: \(String(repeating: "0", count: 60_000))9\n\n".utf8)[...])
    #expect(parser.reconnectionMilliseconds == nil)
  }
}
