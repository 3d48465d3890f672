import Harness
import Imagery

/// PRV-2: the place in the camera's picture under a finger on the preview.
struct TapPlace: Scenario {
  let id = "controls.tap"
  let suite = Suite.controls
  let title = "From the surface to the sensor"
  let purpose =
    "A tap focuses on what is under the finger, however the device is held and however the picture is cropped."
  let exampleFailure =
    "An engine that forgets the mirror of a front camera: the focus goes to the other side."
  let requirements: [RequirementID] = ["PRV-2"]

  static let surfaces = [
    PixelSize(width: 160, height: 320), PixelSize(width: 320, height: 160),
    PixelSize(width: 200, height: 200),
  ]
  static let zooms = [1.0, 1.5, 2.7, 4]
  /// Returns places on the surface, as shares of its width and height. With the gravity `fit`, they are near the middle, so that the
  /// picture covers them.
  private static func places(_ gravity: PreviewGeometry.Gravity) -> [(Double, Double)] {
    gravity == .fill ? [(0.5, 0.5), (0.22, 0.3), (0.8, 0.64)] : [(0.5, 0.5), (0.38, 0.44), (0.6, 0.57)]
  }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let mirrored = PreviewGeometry(
      source: Spot.size, orientation: Orientation(rotation: .none, isMirrored: true),
      surface: PixelSize(width: 320, height: 160))
    // A fifth from the left is a fifth from the right in a mirror.
    func error(_ drawn: Double) throws -> Double {
      try Spot().error(mirrored, of: (64, 80), drawnAt: (drawn, 0.5))
    }
    let (right, wrong) = (try error(0.8), try error(0.2))
    guard right < 0.5, abs(wrong - 0.6 * 320) < 1 else {
      return .failed("a tap was read as \(right) px off, and one on the other side of a mirror as \(wrong)")
    }
    return .passed(
      "a tap was read as \(Self.rounded(right)) px off, and one that forgets the mirror as \(Self.rounded(wrong))"
    )
  }

  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

  /// The distance on the surface between a tapped point and the point at which the picture shows the converted place.
  struct Finding: Sendable {
    var geometry: PreviewGeometry
    /// The distance in pixels of the surface; infinite if nothing was visible.
    var error: Double

    var line: String {
      "\(geometry.orientation), \(geometry.surface.width)×\(geometry.surface.height), \(geometry.gravity.rawValue), zoom \(geometry.zoom): \(TapPlace.rounded(error)) px"
    }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var findings: [Finding] = []
    let spot = Spot()
    for orientation in Orientation.allCases {
      for surface in Self.surfaces {
        for zoom in Self.zooms { findings += try taps(spot, orientation, surface: surface, zoom: zoom) }
      }
    }
    var observation = Self.observation(findings)
    observation.checks.append(beside())
    return observation
  }

  private func taps(
    _ spot: Spot, _ orientation: Orientation, surface: PixelSize, zoom: Double
  ) throws -> [Finding] {
    try Task.checkCancellation()
    return try [PreviewGeometry.Gravity.fill, .fit].flatMap { gravity in
      let geometry = PreviewGeometry(
        source: Spot.size, orientation: orientation, surface: surface, gravity: gravity, zoom: zoom)
      return try Self.places(gravity).map { place in
        Finding(geometry: geometry, error: try spot.error(geometry, at: place))
      }
    }
  }

  /// Checks that a tap beside the picture counts as a tap on the edge of the picture.
  private func beside() -> Check {
    var wrong = 0
    for orientation in Orientation.allCases {
      let geometry = PreviewGeometry(
        source: Spot.size, orientation: orientation, surface: PixelSize(width: 160, height: 320),
        gravity: .fit)
      for tap in [(x: -50.0, y: -50.0), (x: 80, y: 3), (x: 500, y: 500)] {
        let point = geometry.devicePoint(x: tap.x, y: tap.y)
        if !(0...1).contains(point.x) || !(0...1).contains(point.y) { wrong += 1 }
      }
    }
    return Check(
      id: "controls.tap.beside", title: "A tap beside the picture counts as a tap on its edge",
      passed: wrong == 0,
      subjects: 3 * Orientation.allCases.count, detail: "\(wrong) outside", requirement: "PRV-2")
  }

  static func observation(_ findings: [Finding]) -> Observation {
    let unseen = findings.filter { !$0.error.isFinite }
    let seen = findings.filter { $0.error.isFinite }
    return Observation(
      metrics: [
        Measurement(
          id: "controls.tap.error", title: "From where a place is shown to where it was tapped",
          unit: .pixels, level: .synthetic,
          kind: .exact, samples: seen.map(\.error))
      ],
      checks: [
        Check(
          id: "controls.tap.seen", title: "What was tapped is on the surface", passed: unseen.isEmpty,
          subjects: findings.count,
          detail: unseen.isEmpty
            ? "\(findings.count) taps" : unseen.prefix(6).map(\.line).joined(separator: "; "),
          requirement: "PRV-2")
      ],
      evidence: [
        .text(
          "The farthest", seen.sorted { $0.error > $1.error }.prefix(12).map(\.line).joined(separator: "\n"))
      ],
      notes: [
        "A spot is drawn at the place to which a tap is converted, the preview is rendered, and the spot "
          + "is looked for at the tap."
      ])
  }
}
