import Capture
import Harness
import Imagery
import Probes
import System

/// INT-3: the source on a digital input switches to another mode.
struct OtherSignal: Scenario {
  let id = "recovery.other-signal"
  let suite = Suite.device
  let title = "Another mode on HDMI"
  let purpose =
    "A document camera that is switched from 1080p to 720p goes on giving pictures; the scanner has to go along."
  let exampleFailure =
    "An engine that keeps the old timings, and shows noise or nothing until it is started again."
  let requirements: [RequirementID] = ["INT-2", "INT-3"]
  let rig: Rig
  /// Modes in the notation of `lab-ctl`, with their sizes. Each mode differs from the mode before; the mode before the first is 1280×720.
  private static let modes = [
    ("1920x1080p30", PixelSize(width: 1920, height: 1080)),
    ("1280x720p60", PixelSize(width: 1280, height: 720)),
    ("720x576p50", PixelSize(width: 720, height: 576)),
    ("1280x720p30", PixelSize(width: 1280, height: 720)),
  ]

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let size = PixelSize(width: 64, height: 64)
    func at(_ milliseconds: Int64) -> MonotonicTime { MonotonicTime(nanoseconds: milliseconds * 1_000_000) }
    let picture = Presentation.example(exposure: at(90), presented: at(120))
    guard Self.followed(size, since: at(50), in: [picture]) == 70,
      Self.followed(PixelSize(width: 128, height: 64), since: at(50), in: [picture]) == nil
    else { return .failed("a picture of the new size after 70 ms was not read as 70 ms") }
    return .passed(
      "a picture of the new size after 70 ms was read as 70 ms, and one of the old size was not counted")
  }

  /// Returns the milliseconds from the switch to the first picture of the new size.
  static func followed(_ size: PixelSize, since: MonotonicTime, in pictures: [Presentation])
    -> Double?
  {
    pictures.first { $0.presentedTime > since && $0.frame.format.size == size }
      .map { ($0.presentedTime - since).milliseconds }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let camera = try LabCamera(rig)
    guard try camera.isDigital() else {
      throw Unsupported(
        "this needs a digital input; boot the lab with one: `lab/run --camera vivid:hdmi-720p30 …`")
    }
    let device = try await DeviceStart(rig: rig, bundled: "").samples(count: 5)
    let play = await Play(
      source: camera.source, chart: nil, size: PixelSize(width: 320, height: 180), interval: .zero, rig: rig)
    var (times, seen): ([Double], [String]) = ([], [])
    do {
      try await play.session.start()
      for (mode, size) in Self.modes {
        _ = await play.untilPresented(play.log.count + 3, within: .seconds(10))
        let time = try await follow(mode, size, camera: camera, play: play)
        if let time { times.append(time) }
        let format = await play.session.format.map(\.description) ?? "nothing"
        seen.append("\(mode): \(format), \(time.map { "\(Int($0)) ms" } ?? "no picture of it")")
      }
    } catch {
      await play.session.stop()
      throw error
    }
    await play.session.stop()
    return observation(times, seen, device: device)
  }

  private func follow(
    _ mode: String, _ size: PixelSize, camera: LabCamera, play: Play
  ) async throws -> Double? {
    let began = try await onOwnThread { try camera.lab.command(camera.name, "timings", mode) }
    let deadline = MonotonicTime.now() + .seconds(10)
    while MonotonicTime.now() < deadline {
      if let time = Self.followed(size, since: began, in: play.log.all.suffix(200)),
        await isAsOffered(mode, play)
      {
        return time
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    return nil
  }

  /// Returns whether the session has the rate of the mode: two modes may have the same size.
  private func isAsOffered(_ mode: String, _ play: Play) async -> Bool {
    guard let rate = mode.split(separator: "p").last.flatMap({ Double($0) }),
      let format = await play.session.format
    else { return false }
    return abs(format.frameInterval.framesPerSecond - rate) < 1
  }

  func observation(_ times: [Double], _ seen: [String], device: [Double]) -> Observation {
    Observation(
      metrics: [
        Measurement(
          id: "\(id).resumed", title: "The source switches → the first picture of the new size",
          unit: .milliseconds,
          level: .buffer, samples: times),
        Measurement(
          id: "\(id).device", title: "The device's own first frame, from open to buffer", unit: .milliseconds,
          level: .buffer, samples: device),
      ],
      checks: [
        Check(
          id: "\(id).followed", title: "Every mode is followed at its size and rate",
          passed: times.count == Self.modes.count, subjects: Self.modes.count,
          detail: seen.joined(separator: "; "),
          requirement: "INT-3")
      ])
  }
}
