import Foundation
import System
import TalariaServer
import Testing

@testable import Library
@testable import Uploads

@Suite struct SecrecyTests {
  let folder = try! TemporaryFolder()

  @Test func identityIsPrivateAndStays() throws {
    let identity = try BackendIdentity(directory: folder.path)
    #expect(try folder.mode(of: "device-id") == 0o600)
    chmod("\(folder.path)/device-id", 0o644)
    #expect(try BackendIdentity(directory: folder.path) == identity)
    #expect(try folder.mode(of: "device-id") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["device-id"])
  }

  /// Sixteen tasks make the identity at once. All get the same one, and none reads a partial file.
  @Test func identityIsOneHoweverManyMakeIt() async throws {
    let path = folder.path
    let made = try await withThrowingTaskGroup(of: BackendIdentity.self) { group in
      for _ in 0..<16 { group.addTask { try BackendIdentity(directory: path) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(made.allSatisfy { $0 == made[0] })
    #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["device-id"])
  }

  /// After a run with faults, examines all messages and all files on disk, including lists and covers.
  @Test func nothingARunWritesHasTheIdentityOrThePhoto() async throws {
    let store = try folder.store()
    let identity = try BackendIdentity(directory: store.directory)
    let fixture = try TalariaFixture()
    let client = try TalariaClient(
      .patient(fixture.server.url), device: identity,
      clock: fixture.clock)
    fixture.server.faults.add(.status(401), .reset, .nonsense, .jobError(retryable: false), to: .upload)
    fixture.server.faults.add(.hugeEvent(3 << 20), .halfEvent, to: .stream)
    let photo = Array("PHOTO-OF-THE-SHELF".utf8)
    for _ in 0..<6 { try await store.queue.accept(.photo(photo, metadata: ["folder": "/home/me/private"])) }
    let uploader = Uploader(store: store, backend: client, clock: fixture.clock)
    await uploader.drain()
    var said = ""
    for scan in try await store.queue.scans() {
      dump(scan.failure, to: &said)
      try await store.queue.drop(scan.key)
    }
    await uploader.drain()
    uploader.tell.finish()
    for await event in uploader.events { dump(event, to: &said) }
    for format in BookListFormat.allCases {
      try await store.library.export(to: "\(folder.path)/list.\(format)", as: format)
    }
    #expect(said.contains("refused") && !said.contains(identity.secret) && !said.contains("/home/me"))
    #expect(try await store.library.count() == 2)
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where !name.hasSuffix("device-id") {
      guard let bytes = try? Data(contentsOf: URL(filePath: "\(folder.path)/\(name)")) else { continue }
      #expect(bytes.firstRange(of: Data(identity.secret.utf8)) == nil, "\(name)")
      #expect(bytes.firstRange(of: Data(photo)) == nil, "\(name)")
    }
  }

  @Test func damagedIdentityIsSaid() throws {
    try "not one".write(toFile: "\(folder.path)/device-id", atomically: true, encoding: .utf8)
    let error = #expect(throws: DeliveryError.self) { try BackendIdentity(directory: folder.path) }
    #expect(error?.kind == .storage)
    #expect(error?.description.contains("not one") == false)
  }

  @Test func nothingPrintsTheIdentity() throws {
    let identity = try BackendIdentity(directory: folder.path)
    var dumped = ""
    dump(identity, to: &dumped)
    dump([identity], to: &dumped)
    for text in ["\(identity)", String(reflecting: identity), String(describing: [identity]), dumped] {
      #expect(!text.contains(identity.secret))
    }
  }

  /// Sends a scan through every fault, and examines every error and event, and the store's files.
  @Test func noErrorEventOrFileHasTheIdentity() async throws {
    let store = try folder.store()
    let talaria = try TalariaFixture()
    let faults: [Fault] = [
      .drop, .reset, .status(500), .status(401), .tooManyRequests("1"), .nonsense,
      .redirect("http://127.0.0.2:9/"),
      .redirect("/v3/jobs/scans?device=x"), .wrongContentType, .halfEvent, .jobError(retryable: true),
    ]
    for fault in faults {
      for endpoint in Endpoint.allCases { talaria.server.faults.add(fault, to: endpoint) }
      try await store.queue.accept(.photo())
    }
    let uploader = Uploader(store: store, backend: talaria.client, clock: talaria.clock)
    await uploader.drain()
    uploader.tell.finish()
    var said = ""
    for await event in uploader.events { dump(event, to: &said) }
    dump(try await store.queue.scans(), to: &said)
    dump(talaria.client, to: &said)
    #expect(said.contains("offline"))
    #expect(!said.contains(TalariaFixture.secret))
    let secret = Array(TalariaFixture.secret.utf8)
    for name in try FileManager.default.contentsOfDirectory(atPath: store.directory) {
      let file = URL(filePath: "\(store.directory)/\(name)")
      guard let bytes = try? Data(contentsOf: file) else { continue }
      #expect([UInt8](bytes).firstRange(of: secret) == nil, "\(name)")
    }
  }
}
