import Capture
import Harness
import Probes
import System

/// INT-1…3 on real drivers: faults of cables, cameras and drivers, and the recovery of a session without help.
struct DeviceTrouble: Scenario {
  let id: String
  let suite = Suite.device
  let title: String
  let purpose: String
  let exampleFailure: String
  var requirements: [RequirementID] = ["INT-1", "INT-2", "INT-3"]
  /// The required camera, in words and as a rule.
  let wanted: NodeWish
  /// Options of the source, as after its question mark.
  let options: String
  let faults: [LabFault]
  let rig: Rig

  /// Returns the scenario of a bad cable and a bad camera.
  static func usb(rig: Rig) -> DeviceTrouble {
    DeviceTrouble(
      id: "device.usb", title: "A bad cable, a bad camera",
      purpose:
        "USB loses packets, cuts frames short and stalls; a viewfinder that stops for each lost packet stops every day.",
      exampleFailure:
        "A reader that takes a half-filled buffer for a picture, or waits for ever on a stalled one.",
      wanted: NodeWish("USB camera") { $0.isUSB }, options: "?format=YUYV&size=640x360",
      faults: [
        LabFault(command: "drop 5"), LabFault(command: "error 4"), LabFault(command: "short 3"),
        LabFault(command: "epipe"),
        LabFault(command: "stall on", reason: .streamStalled, remedy: "stall off"),
      ], rig: rig)
  }

  /// Returns the scenario of failures of a driver.
  static func driver(rig: Rig) -> DeviceTrouble {
    DeviceTrouble(
      id: "device.driver", title: "A driver that fails",
      purpose: "Drivers fail in ways no specification lists; none of them may leave a black picture behind.",
      exampleFailure: "An engine that ends on EIO from DQBUF, or gives up when REQBUFS fails once.",
      wanted: NodeWish("vivid camera without HDMI") { !$0.isUSB && !$0.isDigital },
      options: "?format=NV12&size=640x360&fps=30",
      faults: [
        LabFault(command: "fatal", reason: .deviceReset),
        LabFault(command: "disconnect", reason: .deviceDisconnected),
        LabFault(command: "unplug", reason: .deviceDisconnected, remedy: "replug"),
        LabFault(command: "error-buffers 30", remedy: "error-buffers 0"),
        LabFault(command: "drop 30", remedy: "drop 0"),
      ]
        + ["reqbufs-fail", "qbuf-fail", "streamon-fail"].map {
          LabFault(command: $0, moment: .beforeStart, reason: .deviceReset)
        }
        + [
          ("timestamps start", nil), ("timestamps end", nil), ("wrap-sequence on", "wrap-sequence off"),
          ("wrap-time 32", nil), ("wrap-time 64", "wrap-time off"),
        ].map { LabFault(command: $0.0, moment: .beforeStart, remedy: $0.1) },
      rig: rig)
  }

  /// Returns the scenario of changes of the signal on an HDMI input.
  static func signal(rig: Rig) -> DeviceTrouble {
    let losses = ["lost", "unlocked", "out-of-range"].map {
      LabFault(command: "signal \($0)", reason: .signalLost, remedy: "signal back")
    }
    return DeviceTrouble(
      id: "device.signal", title: "A signal that comes and goes",
      purpose: "Somebody else switches the source of an HDMI input off and on.",
      exampleFailure: "A session that ends when it is started before the signal is there.",
      requirements: ["INT-1", "INT-2"], wanted: .digital, options: "",
      faults: losses + [
        LabFault(command: "signal lost", moment: .beforeStart, reason: .signalLost, remedy: "signal back")
      ], rig: rig)
  }

  /// Proves that a missing recovery, a missing publication and a wrong reason are distinguished from a sound recovery.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let origin = MonotonicTime(nanoseconds: 1_000_000_000)
    func outcome(_ reason: InterruptionReason?, resumed: Bool) -> FaultOutcome {
      FaultOutcome(
        fault: LabFault(command: "stall on", reason: .streamStalled, remedy: "stall off"), given: origin,
        mended: origin + .milliseconds(500),
        published: reason.map { StateMark(state: .interrupted($0), time: origin + .milliseconds(20)) },
        shown: resumed ? origin + .milliseconds(570) : nil)
    }
    let sound = outcome(.streamStalled, resumed: true)
    guard sound.complaint == nil, sound.detected == 20, sound.resumed == 70 else {
      return .failed("a made-up recovery of 70 ms, published after 20 ms, was read as: \(sound.detail)")
    }
    let bad = [
      outcome(nil, resumed: true), outcome(.other, resumed: true), outcome(.streamStalled, resumed: false),
    ]
    guard bad.allSatisfy({ $0.complaint != nil }) else {
      return .failed(
        "an interruption that was not published, was misnamed or did not end was accepted")
    }
    return .passed(
      "an invented recovery of 70 ms was read as 70 ms; one unpublished, misnamed or missing as a fault")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let lab = try DeviceLab()
    let node = try await onOwnThread { [rig, wanted] in try LabNode.first(lab, rig, wanted: wanted) }
    let source = try rig.source(at: rig.specification ?? node.path + options)
    let trial = FaultTrial(lab: lab, device: node.name, source: source, rig: rig)
    let (outcomes, states) = try await trial.run(faults)
    return Observation(
      metrics: metrics(outcomes), checks: checks(outcomes),
      evidence: [.timeline("The faults, and the published states", Timeline(outcomes, states))],
      notes: ["On \(node.name), \(source.specification)."])
  }

  private func metrics(_ outcomes: [FaultOutcome]) -> [Measurement] {
    func metric(_ name: String, _ title: String, samples: [Double]) -> Measurement {
      Measurement(id: "\(id).\(name)", title: title, unit: .milliseconds, level: .buffer, samples: samples)
    }
    return [
      metric(
        "detected", "The fault → its interruption is published", samples: outcomes.compactMap(\.detected)),
      metric("resumed", "Its cause is gone → a picture is shown", samples: outcomes.compactMap(\.resumed)),
    ]
  }

  func checks(_ outcomes: [FaultOutcome]) -> [Check] {
    outcomes.enumerated().map(check) + [publishedCheck(outcomes)]
  }

  private func publishedCheck(_ outcomes: [FaultOutcome]) -> Check {
    let due = outcomes.filter { $0.fault.reason != nil }
    let wrong = due.filter { outcome in
      outcome.published?.state != outcome.fault.reason.map { SessionState.interrupted($0) }
    }
    return Check(
      id: "\(id).published", title: "Every interruption was published with its reason", passed: wrong.isEmpty,
      subjects: due.count,
      detail: wrong.first.map { "\($0.fault.command): \($0.published.map { "\($0.state)" } ?? "nothing")" }
        ?? "\(due.count) of \(due.count)", requirement: "INT-1")
  }

  private func check(_ index: Int, _ outcome: FaultOutcome) -> Check {
    let (fault, reason) = (outcome.fault, outcome.fault.reason)
    let moment = fault.moment == .beforeStart ? "\(fault.command), then a start" : fault.command
    return Check(
      id: "\(id).\(index + 1)-\(fault.command.replacing(" ", with: "-"))",
      title: reason.map { "\(moment): \($0.rawValue), and back" } ?? "\(moment): the pictures come",
      passed: outcome.complaint == nil, subjects: 1, detail: outcome.detail,
      requirement: reason == nil ? "INT-3" : "INT-2")
  }
}

extension Timeline {
  /// Creates a timeline of a device's faults, above the states that its session published.
  init(_ outcomes: [FaultOutcome], _ states: [StateMark]) {
    let origin = states.first?.time ?? outcomes.first?.given ?? MonotonicTime(nanoseconds: 0)
    func time(_ instant: MonotonicTime) -> Double { max(0, (instant - origin).milliseconds) }
    let last = (states.map(\.time) + outcomes.compactMap(\.shown)).max() ?? origin
    let ends = states.dropFirst().map(\.time) + [last]
    self.init(lanes: [
      Lane(
        "done",
        marks: outcomes.map { Mark($0.fault.command, at: time($0.given), isAlert: $0.complaint != nil) }),
      Lane(
        "mended",
        marks: outcomes.compactMap { one in one.mended.map { Mark(one.fault.remedy ?? "", at: time($0)) } }),
      Lane(
        "session",
        spans: zip(states, ends).map { mark, end in
          var isAlert = false
          if case .interrupted = mark.state { isAlert = true }
          return Span("\(mark.state)", from: time(mark.time), to: time(end), isAlert: isAlert)
        }),
    ])
  }
}
