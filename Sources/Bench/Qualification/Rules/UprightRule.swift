import Harness
import Imagery

import struct Foundation.Data

/// ROT-1, ROT-2: every mode is the same way up, and pictures are turned as requested, proved on the camera's own picture.
struct UprightRule: QualificationRule {
  let id = "qualify.rotation"
  let suite = Suite.rotation
  let title = "Which way up"
  let purpose =
    "Turning is right only if every mode shows the scene the same way up; photos of a mirrored mode are in mirror writing."
  let exampleFailure =
    "A camera whose firmware mirrors its small raw mode, but not the JPEG one that photos are taken in."
  let requirements: [RequirementID] = ["ROT-1", "ROT-2", "HAR-6"]
  let camera: QualifiedCamera
  let survey: ModeSurvey

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let map = Self.example
    for orientation in Orientation.allCases {
      let (seen, _) = map.orientation(to: map.turned(orientation))
      guard seen == orientation else {
        return .failed("a picture turned \(orientation) was recognised as \(seen)")
      }
    }
    return .passed("a picture turned all eight ways was recognised")
  }

  /// A picture without any symmetry.
  static let example = PictureMap(
    cells: (0..<PictureMap.side * PictureMap.side).map {
      let (row, column) = ($0 / PictureMap.side, $0 % PictureMap.side)
      return Double(row * 7 + column * 3) + (row < 8 && column < 5 ? 60 : 0)
    })

  func run(_ context: ScenarioContext) async throws -> Observation {
    let survey = try await survey.survey(for: id)
    var observation = Observation(notes: faultNotes)
    observation.checks = Self.agreement(survey)
    observation.checks += try await TurnTrial(camera: camera).run(&observation.evidence)
    if observation.checks.isEmpty {
      throw Unsupported(
        "turned pictures of this scene cannot be told apart; point the camera at something with a clear top and bottom"
      )
    }
    return observation
  }

  /// Compares each mode with the mode whose picture is most like the pictures of the others.
  static func agreement(_ survey: ModeSurvey.Survey) -> [Check] {
    let seen = survey.streamed.filter { $0.flaw == nil }.compactMap { proof in
      proof.map.map { (mode: proof.mode, map: $0) }
    }
    let pictures = seen.reduce(into: [(mode: CameraMode, map: PictureMap)]()) { kept, next in
      if !kept.contains(where: { $0.mode.hasSamePicture(as: next.mode) }) { kept.append(next) }
    }
    let reference = pictures.max { total($0.map, pictures.map(\.map)) < total($1.map, pictures.map(\.map)) }
    guard pictures.count > 1, let reference, reference.map.showsTurns else { return [] }
    let flaws = pictures.compactMap { picture -> String? in
      let (turn, likeness) = reference.map.orientation(to: picture.map)
      guard turn != .upright, likeness > 0.6 else { return nil }
      return "\(picture.mode.picture) is \(turn) against \(reference.mode.picture)"
    }
    return [
      RuleCheck(
        id: "qualify.rotation.modes", title: "Every mode shows the scene the same way up",
        requirement: "ROT-2"
      ).check(
        flaws: flaws, of: pictures.count, otherwise: "\(pictures.count) pictures agree\(reference.map.doubt)")
    ]
  }

  private static func total(_ map: PictureMap, _ all: [PictureMap]) -> Double {
    all.reduce(0) { $0 + map.likeness(to: $1) }
  }
}

extension PictureMap {
  /// The limits of a symmetric scene, as a clause. Empty for others.
  var doubt: String {
    let turns = ambiguities.map(\.description).joined(separator: ", ")
    return turns.isEmpty ? "" : "; this scene cannot tell upright from \(turns)"
  }
}
