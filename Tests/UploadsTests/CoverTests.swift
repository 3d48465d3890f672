import Foundation
import Testing

@testable import Library
@testable import Uploads

@Suite struct CoverTests {
  let folder = try! TemporaryFolder()
  let clock = InstantClock()

  private static func jpeg(_ count: Int, _ filling: UInt8 = 7) -> [UInt8] {
    [0xFF, 0xD8, 0xFF] + [UInt8](repeating: filling, count: count - 3)
  }

  private func cache(total: Int = 1000, cover: Int = 400) throws -> CoverCache {
    try CoverCache(
      directory: "\(folder.path)/a/covers", limits: .init(total: total, cover: cover),
      clock: clock)
  }

  private var files: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a/covers")) ?? []
  }

  @Test func coverIsFetchedOnceAndThenOnDisk() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    let cover = try await cache().cover(at: "\(server.url)/a")
    #expect(cover.bytes == Self.jpeg(300) && cover.mediaType == "image/jpeg")
    let again = try cache()
    #expect(await again.holds("\(server.url)/a"))
    #expect(try await again.cover(at: "\(server.url)/a") == cover)
    #expect(server.requests.count == 1)
    #expect(try folder.mode(of: "a/covers") == 0o700)
    #expect(try folder.mode(of: "a/covers/\(#require(files.first))") == 0o600)
  }

  @Test func manyWhoAskAtATimeFetchOnce() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    let cache = try cache()
    try await withThrowingTaskGroup(of: Cover.self) { group in
      for _ in 0..<8 { group.addTask { try await cache.cover(at: "\(server.url)/a") } }
      for try await cover in group { #expect(cover.bytes.count == 300) }
    }
    #expect(server.requests.count == 1)
  }

  @Test func theOneUnusedForLongestGoesFirst() async throws {
    let server = CannedServer(
      Dictionary(
        uniqueKeysWithValues: ["a", "b", "c", "d"].map { ("/\($0)", CannedServer.ok(Self.jpeg(300))) }))
    let cache = try cache()
    for name in ["a", "b", "c", "a", "d"] {
      _ = try await cache.cover(at: "\(server.url)/\(name)")
      try await clock.sleep(for: 1)
      #expect(await cache.size() <= 1000)
    }
    #expect(files.count == 3)
    #expect(await cache.holds("\(server.url)/a"))
    #expect(await !cache.holds("\(server.url)/b"))
  }

  @Test func coverLargerThanAllRoomIsGivenButNotKept() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    #expect(try await cache(total: 200).cover(at: "\(server.url)/a").bytes.count == 300)
    #expect(files.isEmpty)
  }

  @Test(
    arguments: [
      ("/large", .unavailable, "larger than 400 bytes"), ("/text", .badInput, "not a picture"),
      ("/empty", .badInput, "not a picture"), ("/none", .unavailable, "404"),
      ("/away", .unavailable, "another host"),
      ("/torn", .unavailable, "partial"),
    ] as [(String, DeliveryError.Kind, String)])
  func whatIsNoCoverIsRefused(path: String, kind: DeliveryError.Kind, reason: String) async throws {
    let server = CannedServer([
      "/large": CannedServer.ok(Self.jpeg(401)), "/text": CannedServer.ok(Array("<html>".utf8)),
      "/empty": CannedServer.ok([]),
      "/away": Array("HTTP/1.1 302 -\r\nLocation: https://example.org/x\r\nContent-Length: 0\r\n\r\n".utf8),
      "/torn": Array("HTTP/1.1 200 OK\r\nContent-Length: 300\r\n\r\n".utf8) + Self.jpeg(200),
    ])
    let cache = try cache()
    let error = await #expect(throws: DeliveryError.self) {
      try await cache.cover(at: "\(server.url)\(path)")
    }
    #expect(error?.kind == kind && error?.reason.contains(reason) == true, "\(String(describing: error))")
    #expect(error?.description.contains(path) == false)
    #expect(files.isEmpty)
  }

  @Test(arguments: ["http://covers.example/a", "file:///etc/passwd", "", "https://u:p@covers.example/a"])
  func addressThatIsNotPrivateIsRefused(address: String) async throws {
    await #expect(throws: DeliveryError.self) { try await cache().cover(at: address) }
  }

  @Test func damagedFileIsFetchedAgain() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    let cache = try cache()
    _ = try await cache.cover(at: "\(server.url)/a")
    try Data("x".utf8).write(to: URL(filePath: "\(folder.path)/a/covers/\(#require(files.first))"))
    #expect(try await cache.cover(at: "\(server.url)/a").bytes.count == 300)
    #expect(server.requests.count == 2)
  }

  /// Files that a crash left behind count towards the limit too, and are removed with the others.
  @Test func leftoversCountAndGo() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    let cache = try cache()
    let draft = "\(folder.path)/a/covers/0123.abcd.new"
    try Data(count: 900).write(to: URL(filePath: draft))
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: draft)
    _ = try await cache.cover(at: "\(server.url)/a")
    #expect(files.count == 1)
    #expect(await cache.size() == 300)
  }

  @Test func nothingThatNamesTheDeviceIsSent() async throws {
    let server = CannedServer(["/a": CannedServer.ok(Self.jpeg(300))])
    _ = try await cache().cover(at: "\(server.url)/a")
    let names = try #require(server.requests.first).split(separator: "\r\n").dropFirst().map {
      $0.prefix { $0 != ":" }.lowercased()
    }
    #expect(Set(names).isSubset(of: ["host", "accept", "accept-encoding", "user-agent"]))
  }

  @Test func standardPlaceFollowsTheSpecification() throws {
    #expect(
      try CoverCache.standardDirectory(["XDG_CACHE_HOME": "/c", "HOME": "/h"]) == "/c/swiftwing/covers")
    #expect(
      try CoverCache.standardDirectory(["XDG_CACHE_HOME": "c", "HOME": "/h"]) == "/h/.cache/swiftwing/covers")
    #expect(throws: DeliveryError.self) { try CoverCache.standardDirectory([:]) }
  }
}
