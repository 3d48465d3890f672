import Capture
import Dock
import Imagery
import JSON
import System
import Testing

@testable import RemoteControl

/// Photos of a viewfinder that are added to a library.
@Suite(.serialized) struct ViewfinderPhotoTests {
  /// PHO-1, UPL-4, checklist J 99 and 100: a photo's command is answered with what the library says about the photo. The library
  /// may also disable the shutter.
  @Test func aPhotoIsHandedToTheLibrary() async throws {
    let shelf = FakeShelf()
    let rig = try HubRig(spines: shelf)
    await rig.hub.begin()
    let listener = Listener(1)
    await rig.hub.connect(listener.client)
    let queued = await rig.hub.ask(listener, "takePhoto", id: "1")
    #expect(queued?["result"]?["library"] == .string("queued"))
    #expect(shelf.photos.withLock { $0 } == 1)
    shelf.answer.withLock { $0 = .refused("the disk is full") }
    let refused = await rig.hub.ask(listener, "takePhoto", id: "2")
    guard case .string(let reason)? = refused?["reason"] else {
      Issue.record("it was not refused")
      return
    }
    #expect(reason.hasPrefix("the photo is kept as photo-") && reason.hasSuffix("queued: the disk is full"))
    shelf.limit.withLock { $0 = "the backend rests" }
    let limited = await rig.hub.ask(listener, "takePhoto", id: "3")
    #expect(limited?["reason"] == .string("the shutter is disabled: the backend rests"))
    #expect(rig.hub.publisher.document["photos"]?["isShutterEnabled"] == .bool(false))
    #expect(rig.hub.publisher.document["photos"]?["reason"] == .string("the backend rests"))
    #expect(rig.folder.names.count(where: { $0.hasPrefix("photo-") }) == 2)
    await rig.hub.end()
  }
}

/// A library control whose answers a test sets.
private final class FakeShelf: SpineControl {
  private final class NoOutput: FrameOutput { func receive(_ frame: Frame) {} }

  let photos = Locked(0)
  let answer = Locked(PhotoAcceptance.queued)
  let limit = Locked<String?>(nil)
  let output: any FrameOutput = NoOutput()
  let photoSettings: PhotoSettings? = PhotoSettings()

  var refusal: String? { limit.withLock { $0 } }
  func state() async -> [String: JSONValue] { [:] }
  func accept(_ photo: [UInt8]) async -> PhotoAcceptance? {
    photos.withLock { $0 += 1 }
    return answer.withLock { $0 }
  }
  func read(_ isOn: Bool) async -> CommandOutcome { .accepted() }
  func edit(_ book: Int64, title: String?, author: String?) async -> CommandOutcome {
    .accepted(["title": .text(title), "author": .text(author)])
  }
  func outlines() async -> [DockRect] { [] }
  func observe(_ tell: @escaping @Sendable () -> Void) async {}
  func end() async {}
}
