import Capture
import Probes
import System

/// A trial that applies faults to a device one after the other, and records the reactions of a session on it.
struct FaultTrial: Sendable {
  let lab: DeviceLab
  let device: String
  let source: any CameraSource
  let rig: Rig

  /// Uses a new session for each fault that comes before the start, and one session for all faults that come while it streams.
  func run(_ faults: [LabFault]) async throws -> (outcomes: [FaultOutcome], states: [StateMark]) {
    var outcomes: [FaultOutcome] = []
    var states: [StateMark] = []
    var watch: DeviceWatch?
    for fault in faults {
      try Task.checkCancellation()
      if fault.moment == .beforeStart || watch == nil {
        states += await ended(watch)
        watch = await DeviceWatch(source: source, rig: rig)
      }
      guard let watch else { continue }
      outcomes.append(try await outcome(of: fault, watch))
    }
    states += await ended(watch)
    return (outcomes, states)
  }

  private func ended(_ watch: DeviceWatch?) async -> [StateMark] {
    await watch?.stop()
    return watch?.states ?? []
  }

  private func outcome(of fault: LabFault, _ watch: DeviceWatch) async throws -> FaultOutcome {
    if fault.moment == .streaming { try await settle(watch) }
    let before = watch.states.count
    var outcome = FaultOutcome(fault: fault, given: try await command(fault.command))
    if fault.moment == .beforeStart { try await watch.start() }
    if fault.reason == nil {
      let given = outcome.given
      _ = await watch.until { watch.pictures(after: given) >= LabFault.pictures ? true : nil }
      outcome.pictures = watch.pictures(after: given)
      outcome.published = watch.interruption(after: before)
    } else {
      outcome.published = await watch.until { watch.interruption(after: before) }
    }
    if let remedy = fault.remedy { outcome.mended = try await command(remedy) }
    guard fault.reason != nil, let from = outcome.mended ?? outcome.published?.time else { return outcome }
    outcome.shown = await watch.until { watch.picture(after: from) }?.presentedTime
    return outcome
  }

  /// Waits until pictures come steadily.
  private func settle(_ watch: DeviceWatch) async throws {
    if await watch.play.session.state == .idle { try await watch.start() }
    let count = watch.play.log.count
    guard await watch.play.untilPresented(count + 5, within: DeviceWatch.patience) else {
      throw LaunchError(
        source.specification, "it shows no pictures: \(await watch.play.session.state)",
        remedy: "try it with `swiftwing view`")
    }
  }

  private func command(_ text: String) async throws -> MonotonicTime {
    let words = text.split(separator: " ").map(String.init)
    return try await onOwnThread { [lab, device] in try lab.command(device, words) }
  }
}
