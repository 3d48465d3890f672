import Replay
import ScriptedKernel
import Testing
import Video4Linux

@testable import Capture

/// The source that is used by default, and the reason for the choice.
@Suite struct UsualSourceTests {
  private func cameras() throws(CameraError) -> [ConnectedCamera] {
    let kernel = ScriptedKernel.camera([ScriptedMode(.nv12, 64, 36, [50])], clock: VirtualClock())
    return try ConnectedCamera.list(kernel: kernel)
  }

  @Test func theFirstCameraIsTaken() throws {
    let camera = try #require(try cameras().first)
    let usual = UsualSource(among: .success([camera]))
    #expect(usual.specification == camera.path)
    #expect(
      usual.reason == "\(camera.path), \(camera.name), is the first camera here; --source chooses another.")
  }

  @Test func withoutOneItIsARecordingAndSaysSo() {
    let usual = UsualSource(among: .success([]))
    #expect(usual.specification == "corpus:shelf-pan?loop=1")
    #expect(
      usual.reason
        == "This is a recording, corpus:shelf-pan, over and over: no camera was found; --source chooses a camera."
    )
  }

  @Test func whereCamerasCannotBeLookedForThatIsSaid() {
    let usual = UsualSource(among: .failure(.failed("/dev", reason: "permission denied")))
    #expect(usual.specification == "corpus:shelf-pan?loop=1")
    #expect(
      usual.reason.contains("cameras could not be looked for (") && usual.reason.contains("permission denied")
    )
  }
}
