import Display
import Harness
import Imagery
import Probes

/// LAT-1 to a display: a picture is written to a driver's output, comes back from its camera, and is shown at a vblank.
struct DisplayLoop: Scenario {
  let id = "display.loop"
  let suite = Suite.device
  let title = "Glass to glass to a display"
  let purpose =
    "A picture that is ready is not seen yet: a display shows it at its next vblank, and a careless program at the one after, or half of it."
  let exampleFailure =
    "An engine that draws into the memory that the display shows: every picture is in time, and made of two frames."
  let requirements: [RequirementID] = ["LAT-1"]
  /// The device node of the lab's display.
  static let card = "/dev/dri/card0"
  let rig: Rig

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let (good, bad) = (DisplayLog.example(isGood: true), DisplayLog.example(isGood: false))
    if let wrong = good.checks.first(where: { !$0.passed }) {
      return .failed("a display that is kept up with did not pass \(wrong.id): \(wrong.detail)")
    }
    if let wrong = bad.checks.first(where: \.passed) {
      return .failed("a display that is not kept up with passed \(wrong.id): \(wrong.detail)")
    }
    return .passed(
      "made-up flips in time pass; torn, unread, lost, late and needlessly drawn ones, and a stamp that stands still, do not"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let loops = try await onOwnThread { try LabNode.list(lab, rig).filter { $0.output != nil } }
    guard let loop = loops.first else {
      throw Unsupported(
        "this scenario needs the lab's loop of a display and a camera; boot the lab with it: "
          + "`lab/run --display --camera vivid-loop:480p60 -- …`"
      )
    }
    let screen: DisplayScreen
    do throws(DisplayError) {
      screen = try DisplayScreen(path: Self.card, size: PixelSize(width: 640, height: 480))
    } catch {
      throw Unsupported("\(error); in the lab, run it with `lab/run --display …`")
    }
    let trial = try DisplayTrial(
      loop: loop, rig: rig, screen: screen, frames: context.duration.loopFrames)
    let log = try await trial.run()
    return Observation(
      metrics: log.metrics, checks: log.checks, evidence: log.evidence,
      notes: [
        "The display alone, the engine that draws on the display, the engine that shows the camera's own memory and the engine to memory are measured by turns in one boot, on \(log.mode). How long a ready picture waits for its vblank depends on how far apart camera and display beat; each round has them a further part of a frame apart."
      ])
  }
}
