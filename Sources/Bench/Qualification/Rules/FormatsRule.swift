import Harness
import Video4Linux

import struct Foundation.Data

/// HAR-6, CTL-8: every claimed format, proved.
struct FormatsRule: QualificationRule {
  let id = "qualify.formats"
  let suite = Suite.formats
  let title = "Formats claimed and proved"
  let purpose =
    "The engine chooses a format by what the camera claims; if a claim is false, the user sees a black picture."
  let exampleFailure = "A webcam that lists MJPG 1280×720 and sends pictures of 1280×360."
  let requirements: [RequirementID] = ["HAR-6", "CTL-8", "PRV-3"]
  let camera: QualifiedCamera
  let survey: ModeSurvey

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    var (small, damaged) = (ModeProof.example(), ModeProof.example())
    small.given = VideoFormat(fourCC: .yuyv, size: FrameSize(width: 160, height: 90))
    damaged.frames[5].damage = "it is empty"
    guard ModeProof.example().flaw == nil, small.flaw != nil, damaged.flaw != nil else {
      return .failed("a size that is not given, or an empty frame, was not noticed")
    }
    return .passed(
      "another size than the requested one and an empty frame were noticed; a sound stream passed")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let survey = try await survey.survey(for: id)
    var observation = Self.judge(survey)
    observation.notes = faultNotes + notes(context)
    observation.evidence.append(.text("The claims of the camera", camera.plan.claims.table))
    return observation
  }

  /// Returns a check for each format.
  static func judge(_ survey: ModeSurvey.Survey) -> Observation {
    let names = survey.streamed.map(\.mode.fourCC).reduce(into: [FourCC]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    var observation = Observation()
    for name in names {
      let proofs = survey.streamed.filter { $0.mode.fourCC == name }
      let flaws = proofs.compactMap { proof in proof.flaw.map { "\(proof.mode): \($0)" } }
      let shown = proofs.map(\.mode.description).joined(separator: ", ")
      observation.checks.append(
        RuleCheck(
          id: "qualify.formats.\(name)",
          title: "\(name): sizes and frame rates are set as requested, pictures arrive and can be decoded"
        )
        .check(flaws: flaws, of: proofs.count, otherwise: shown))
    }
    if !survey.onlySet.isEmpty {
      let flaws = survey.onlySet.compactMap { proof in proof.flaw.map { "\(proof.mode): \($0)" } }
      observation.checks.append(
        RuleCheck(id: "qualify.formats.others", title: "Formats that the engine does not read can be set")
          .check(flaws: flaws, of: survey.onlySet.count, otherwise: "\(survey.onlySet.count) of them"))
    }
    observation.evidence = pictures(survey)
    return observation
  }

  /// Returns a picture of each format at each size, at most twelve.
  private static func pictures(_ survey: ModeSurvey.Survey) -> [Evidence] {
    var seen: [CameraMode] = []
    return survey.streamed.compactMap { proof in
      guard let bytes = proof.thumbnail, seen.count < 12,
        !seen.contains(where: { $0.hasSamePicture(as: proof.mode) })
      else { return nil }
      seen.append(proof.mode)
      return .jpeg(proof.mode.picture, Data(bytes))
    }
  }

  private func notes(_ context: ScenarioContext) -> [String] {
    let plan = camera.plan
    let readable = plan.claims.formats.filter(\.isReadable)
    let claimed = readable.reduce(0) { $0 + $1.sizes.count }
    let tried = Set(plan.streamed.map(\.picture)).count
    guard context.duration == .short, tried < claimed else { return [] }
    return [
      "\(tried) of \(claimed) pictures claimed were tried: of each format the smallest and that nearest to 720p; "
        + "`--duration full` tries all."
    ]
  }
}
