import Capture
import Glibc
import Harness
import Imagery
import Probes
import Replay

/// Trials that set values on cameras with and without faults.
struct ValuePlay: Sendable {
  let rig: Rig

  private struct Case: Sendable {
    let name: String
    let control: CameraControl
    let wanted: Double
    let lie: SensorLie?
    let truth: @Sendable (SensorLog.Exposed) -> Double
  }

  private static let cases: [Case] = [
    Case(name: "honest", control: .iso, wanted: 400, lie: nil) { $0.iso },
    Case(name: "beyond", control: .iso, wanted: 99_999, lie: nil) { $0.iso },
    Case(name: "between", control: .exposureDuration, wanted: 0.010_04, lie: nil) { $0.duration },
    Case(name: "ignores", control: .iso, wanted: 400, lie: .ignores) { $0.iso },
    Case(name: "clamps", control: .iso, wanted: 1600, lie: .clamps(50...800)) { $0.iso },
    Case(name: "delays", control: .iso, wanted: 400, lie: .delays(10)) { $0.iso },
    Case(name: "fails", control: .iso, wanted: 400, lie: .fails) { $0.iso },
    Case(name: "temperature", control: .whiteBalanceTemperature, wanted: 3200, lie: nil) { $0.temperature },
    Case(name: "temperature-ignored", control: .whiteBalanceTemperature, wanted: 3200, lie: .ignores) {
      $0.temperature
    },
    Case(name: "tint", control: .tint, wanted: 30, lie: nil) { $0.tint },
    Case(name: "lens", control: .lensPosition, wanted: 0.4, lie: nil) { $0.lensPosition },
    Case(name: "torch", control: .torch, wanted: 0.5, lie: nil) { $0.torch },
  ]

  func trials() async throws -> [ValueTrial] {
    var trials: [ValueTrial] = []
    for given in Self.cases { trials.append(try await trial(given)) }
    return trials
  }

  private func trial(_ given: Case) async throws -> ValueTrial {
    let source = SensorSource(framesPerSecond: 30) { model in
      if let lie = given.lie { model.lies[given.control] = lie }
    }
    let play = await SensorPlay(source, rig: rig)
    return try await play.session.ending {
      try await play.session.start()
      try await play.run(.seconds(1))
      let answer = await play.session.set(given.control, to: .number(given.wanted))
      try await play.run(.seconds(1))
      let state = await play.session.controls
      return ValueTrial(
        name: given.name, wanted: given.wanted, took: answer.took?.number,
        truth: play.truth.frames.last.map(given.truth),
        note: answer.note, told: state.values[given.control]?.number, isRefused: answer.refusal != nil,
        isLate: given.name == "delays")
    }
  }
}
