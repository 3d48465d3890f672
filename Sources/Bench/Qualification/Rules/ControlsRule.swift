import Harness
import Video4Linux

/// CTL-1, CTL-2, CTL-6: controls proved by reading them back, and by their effect on the picture.
struct ControlsRule: QualificationRule {
  let id = "qualify.controls"
  let suite = Suite.controls
  let title = "Controls claimed and proved"
  let purpose =
    "Programs set the exposure by controls; a control that does nothing leaves a dark picture dark."
  let exampleFailure =
    "A webcam that accepts and reads back every brightness, and shows the same picture."
  let requirements: [RequirementID] = ["CTL-1", "CTL-2", "CTL-6", "HAR-6"]
  let camera: QualifiedCamera

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let cells = (0..<PictureMap.side * PictureMap.side).map { Double($0 % 97) }
    let dark = PictureFacts(map: PictureMap(cells: cells), colourfulness: 0)
    let light = PictureFacts(map: PictureMap(cells: cells.map { $0 + 40 }), colourfulness: 0)
    guard case .seen = ControlSight.brighter.judge(dark, light),
      case .notSeen = ControlSight.brighter.judge(dark, dark),
      case .unknown = ControlSight.colourful.judge(dark, light)
    else { return .failed("40 levels of brightness were not distinguished from none") }
    return .passed(
      "a picture 40 levels brighter was seen, an unchanged one too, and grey says nothing of colour")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let findings = try written()
    guard !findings.isEmpty else { throw Unsupported("the camera has no controls") }
    var observation = Self.judge(findings)
    let sights = try looked(at: findings.filter { $0.omission == nil }.map(\.control))
    observation.checks += Self.judge(sights)
    observation.evidence = [.text("Every control", Self.table(findings, sights))]
    observation.notes = faultNotes
    return observation
  }

  private func written() throws -> [ControlTrial.Finding] {
    let device = try camera.open()
    defer { device.close() }
    return try device.controls().controls.map { control in
      try Task.checkCancellation()
      return ControlTrial(device: device, control: control).run()
    }
  }

  /// The outcome of looking for a control's effect.
  struct Sight {
    let control: Control
    let outcome: ControlSight.Outcome
  }

  private func looked(at controls: [Control]) throws -> [Sight] {
    let visible = controls.filter { ControlSight($0.id) != nil && ControlSight.values(of: $0) != nil }
    guard !visible.isEmpty else { return [] }
    let stream = try LightStream(camera: camera)
    defer { stream.end() }
    return try visible.compactMap { control in
      guard let sight = ControlSight(control.id), let (low, high) = ControlSight.values(of: control),
        let before = try? stream.device.value(of: control)
      else { return nil }
      defer { try? stream.device.set(control, to: before) }
      try? stream.device.set(control, to: low)
      let first = try stream.look()
      try? stream.device.set(control, to: high)
      return Sight(control: control, outcome: sight.judge(first, try stream.look()))
    }
  }

  static func judge(_ findings: [ControlTrial.Finding]) -> Observation {
    let flaws = findings.flatMap { finding in finding.flaws.map { "\(finding.control.name): \($0)" } }
    let written = findings.filter { $0.omission == nil }
    let writes = written.reduce(0) { $0 + $1.writes }
    return Observation(checks: [
      RuleCheck(
        id: "qualify.controls.values",
        title: "Defaults are in range; written values are read back; values out of range are refused",
        requirement: "CTL-2"
      ).check(
        flaws: flaws, of: findings.count,
        otherwise:
          "\(writes) values of \(written.count) controls, \(findings.count - written.count) not written")
    ])
  }

  static func judge(_ sights: [Sight]) -> [Check] {
    var seen: [String] = []
    var missing: [String] = []
    for sight in sights {
      switch sight.outcome {
      case .seen(let text): seen.append("\(sight.control.name): \(text)")
      case .notSeen(let text): missing.append("\(sight.control.name) cannot be seen in the picture: \(text)")
      case .unknown: break
      }
    }
    guard seen.count + missing.count > 0 else { return [] }
    return [
      RuleCheck(
        id: "qualify.controls.seen", title: "The effect of a control is seen in the picture",
        requirement: "CTL-1"
      )
      .check(flaws: missing, of: seen.count + missing.count, otherwise: seen.joined(separator: "; "))
    ]
  }

  private static func table(_ findings: [ControlTrial.Finding], _ sights: [Sight]) -> String {
    findings.map { finding in
      var line = "\(finding.control.name) (\(finding.control.id)): \(finding.control.claim)"
      if let omission = finding.omission { line += "; not written: \(omission)" }
      for flaw in finding.flaws { line += "; \(flaw)" }
      if let sight = sights.first(where: { $0.control.id == finding.control.id }) {
        switch sight.outcome {
        case .seen(let text): line += "; seen: \(text)"
        case .notSeen(let text): line += "; NOT seen: \(text)"
        case .unknown(let text): line += "; cannot be seen: \(text)"
        }
      }
      return line
    }.joined(separator: "\n")
  }
}

extension Control {
  /// The claimed range and default, in a few words.
  fileprivate var claim: String {
    switch kind {
    case .integer(let range), .integer64(let range):
      "\(range.minimum)…\(range.maximum) by \(range.step), default \(range.defaultValue)"
    case .boolean(let value): "off or on, default \(value ? "on" : "off")"
    case .menu(let items, let index): "\(items.count) choices, default \(index)"
    case .button: "button"
    case .bitmask(let mask, let value): "bits \(mask), default \(value)"
    case .string(let length): "text of \(length)"
    }
  }
}
