package import JSON

extension DockState {
  /// The member `dock` of a viewfinder's state document (`Schemas/`).
  package var document: JSONValue {
    .object([
      "status": .string(status.rawValue), "name": Self.text(name), "battery": battery.document,
      "mode": .string(mode.rawValue), "framing": .string(framing.rawValue),
      "roi": regionOfInterest?.document ?? .null, "subjects": .array(subjects.map(\.document)),
      "selected": selected.map { .integer(Int64($0)) } ?? .null, "motion": motion.document,
      "position": position?.document ?? .null,
      "features": .object(
        Dictionary(
          uniqueKeysWithValues: DockFeature.allCases.map { ($0.rawValue, .bool(features.contains($0))) })),
      "animation": Self.text(animation), "presets": .array(presets.map { .string($0) }),
      "summary": summary?.document ?? .null, "refusal": Self.text(refusal),
      "unsupported": Self.text(unsupported),
    ])
  }

  private static func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
}

extension JSONValue {
  /// The number rounded to four decimal places.
  fileprivate static func rounded(_ number: Double) -> JSONValue { .number((number * 1e4).rounded() / 1e4) }
}

extension DockBattery {
  fileprivate var document: JSONValue {
    switch self {
    case .level(let level, let isCharging):
      .object(["level": .rounded(level), "charging": .bool(isCharging)])
    case .unsupported(let reason): .object(["unsupported": .string(reason)])
    }
  }
}

extension DockSubject {
  fileprivate var document: JSONValue {
    .object([
      "id": .integer(Int64(id)), "rect": rect.document, "confidence": .rounded(confidence),
      "rank": .integer(Int64(rank)),
    ])
  }
}

extension DockRect {
  fileprivate var document: JSONValue {
    .array([.rounded(x), .rounded(y), .rounded(width), .rounded(height)])
  }
}

extension DockAngles {
  fileprivate var document: JSONValue { .object(["pan": .rounded(pan), "tilt": .rounded(tilt)]) }
}

extension DockSummary {
  fileprivate var document: JSONValue {
    .object([
      "seen": .integer(Int64(seen)), "missed": .integer(Int64(missed)), "losses": .integer(Int64(losses)),
    ])
  }
}
