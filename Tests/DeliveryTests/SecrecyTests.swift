import Foundation
import Locking
import TalariaServer
import Testing

@testable import Delivery

@Suite struct SecrecyTests {
  let folder = try! TemporaryFolder()

  @Test func identityIsPrivateAndStays() throws {
    let identity = try DeviceIdentity(directory: folder.path)
    #expect(try folder.mode(of: "device-id") == 0o600)
    chmod("\(folder.path)/device-id", 0o644)
    #expect(try DeviceIdentity(directory: folder.path) == identity)
    #expect(try folder.mode(of: "device-id") == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["device-id"])
  }

  @Test func damagedIdentityIsSaid() throws {
    try "not one".write(toFile: "\(folder.path)/device-id", atomically: true, encoding: .utf8)
    let error = #expect(throws: DeliveryError.self) { try DeviceIdentity(directory: folder.path) }
    #expect(error?.kind == .storage)
    #expect(error?.description.contains("not one") == false)
  }

  @Test func nothingPrintsTheIdentity() throws {
    let identity = try DeviceIdentity(directory: folder.path)
    var dumped = ""
    dump(identity, to: &dumped)
    dump([identity], to: &dumped)
    for text in ["\(identity)", String(reflecting: identity), String(describing: [identity]), dumped] {
      #expect(!text.contains(identity.secret))
    }
  }

  /// Every error and every event of a scan's way through every fault, and the store's files afterwards.
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
    let courier = Courier(store: store, backend: talaria.client, clock: talaria.clock)
    await courier.drain()
    courier.tell.finish()
    var said = ""
    for await event in courier.events { dump(event, to: &said) }
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
