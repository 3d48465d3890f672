import Capture
import Harness
import Video4Linux

/// INT-1: a second program is refused with the right error, and does not disturb the first.
struct SharingRule: QualificationRule {
  let id = "qualify.sharing"
  let suite = Suite.sharing
  let title = "A second client"
  let purpose =
    "When two programs want the camera, the second must be told that it is busy, and the first must not lose a frame."
  let exampleFailure = "A driver that lets a second program change the format under the stream of the first."
  let requirements: [RequirementID] = ["INT-1", "INT-2", "HAR-6"]
  let camera: QualifiedCamera

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    guard Self.flaw("a", .success(())) != nil, Self.flaw("a", .failure(.stalled("", after: .zero))) != nil,
      Self.flaw("a", .failure(.busy("x"))) == nil
    else { return .failed("a second client that gets the camera was not noticed") }
    return .passed(
      "access, and a refusal for another reason, were noticed; a refusal as busy was accepted")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let first = try LightStream(camera: camera)
    defer { first.end() }
    _ = try first.look()
    let attempts: [(String, Result<Void, CameraError>)] = [
      (
        "setting the format",
        asSecond { _ = try $0.setFormat(VideoFormat(fourCC: mode.fourCC, size: mode.size)) }
      ),
      ("asking for buffers", asSecond { _ = try BufferQueue(device: $0, count: 4) }),
      ("the engine's own start", engine()),
    ]
    let flaws = attempts.compactMap { attempt, result in Self.flaw(attempt, result) }
    let goesOn = Result { try first.look() }
    first.end()
    let after = asSecond { try BufferQueue(device: $0, count: 4).release() }
    return Observation(
      checks: [
        RuleCheck(
          id: "qualify.sharing.refused", title: "A second client is refused with EBUSY", requirement: "INT-1"
        )
        .check(flaws: flaws, of: attempts.count, otherwise: attempts.map { $0.0 }.joined(separator: ", ")),
        RuleCheck(id: "qualify.sharing.undisturbed", title: "The first client goes on").check(
          flaws: failure(goesOn).map { ["after the attempts of the second: \($0)"] } ?? [], of: 1,
          otherwise: "pictures come after the attempts"),
        RuleCheck(
          id: "qualify.sharing.free", title: "It is free once the first has closed it", requirement: "INT-2"
        ).check(
          flaws: failure(after).map { ["a second client still has no buffers: \($0)"] } ?? [], of: 1,
          otherwise: "buffers are given"),
      ], notes: faultNotes)
  }

  private var mode: CameraMode { camera.plan.light }

  /// Returns the answer to a second descriptor.
  private func asSecond(_ body: (VideoDevice) throws -> Void) -> Result<Void, CameraError> {
    do {
      let device = try camera.open()
      defer { device.close() }
      try body(device)
      return .success(())
    } catch let error as VideoDeviceError where error.reason == .busy {
      return .failure(.busy(camera.path))
    } catch {
      return .failure(.failed(camera.path, reason: "\(error)"))
    }
  }

  private func engine() -> Result<Void, CameraError> {
    do throws(CameraError) {
      let second = try camera.source(in: mode).makeCamera(clock: SystemClock())
      defer { second.close() }
      guard let format = try second.open().formats.first else { return .success(()) }
      _ = try second.prepare(format)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private static func flaw(_ attempt: String, _ result: Result<Void, CameraError>) -> String? {
    switch result {
    case .success: "\(attempt) as a second client was not refused"
    case .failure(let error) where error.code == .busy: nil
    case .failure(let error): "\(attempt) as a second client was refused for another reason: \(error)"
    }
  }

  private func failure<Value, Reason>(_ result: Result<Value, Reason>) -> String? {
    if case .failure(let error) = result { "\(error)" } else { nil }
  }
}
