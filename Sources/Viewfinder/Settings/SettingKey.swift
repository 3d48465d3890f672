package import JSON

/// A key of the settings file: its name, its allowed values and its property.
package struct SettingKey: Sendable {
  /// The name in the file.
  package let name: String
  /// The allowed values, for a person: "true or false".
  package let accepts: String
  package let purpose: String
  /// A function that sets the property to a value from the file. If the value is not allowed, it changes nothing and returns false.
  let take: @Sendable (JSONValue, inout CameraSettings) -> Bool
  /// A function that returns the property as a value for the file.
  let give: @Sendable (CameraSettings) -> JSONValue

  package func value(in settings: CameraSettings) -> JSONValue { give(settings) }

  /// Parses a value as a person writes it: `on`, `25`, `1080p`.
  /// - Returns: nil if the value is not allowed.
  package func value(written text: String) -> JSONValue? {
    let flags: [String: JSONValue] = [
      "on": .bool(true), "true": .bool(true), "off": .bool(false), "false": .bool(false),
    ]
    let numbers = Double(text).map { [JSONValue.number($0)] } ?? []
    let candidates = [.string(text)] + numbers + (flags[text.lowercased()].map { [$0] } ?? [])
    return candidates.first { candidate in
      var scratch = CameraSettings()
      return take(candidate, &scratch)
    }
  }

  package static func named(_ name: String) -> SettingKey? { all.first { $0.name == name } }
}

// MARK: - The keys

extension SettingKey {
  /// All keys, in the order in which a page shows them. The names are those of the app that the camera's users know.
  package static let all: [SettingKey] = picture + recording + viewfinder

  private static let picture: [SettingKey] = [
    choice(
      "selectedResolutionRaw", "The size of the picture", get: { $0.resolution }, set: { $0.resolution = $1 }),
    number(
      "selectedFrameRate", "Frames a second", range: 1...240, get: { $0.frameRate },
      set: { $0.frameRate = $1 }),
    flag(
      "isAppleLogEnabled", "A logarithmic format", get: { $0.isLogEnabled }, set: { $0.isLogEnabled = $1 }),
    flag(
      "isVideoStabilizationEnabled", "Stabilisation", get: { $0.isStabilizationEnabled },
      set: { $0.isStabilizationEnabled = $1 }),
    SettingKey(
      name: "lastLUT", accepts: "a path of at most 4096 bytes, or \"\"",
      purpose: "The look that was active last",
      take: { value, settings in
        guard case .string(let path) = value, path.utf8.count <= 4096, !path.utf8.contains(0) else {
          return false
        }
        settings.look = path
        return true
      }, give: { .string($0.look) }),
  ]

  private static let recording: [SettingKey] = [
    choice("selectedCodecRaw", "What recordings are encoded in", get: { $0.codec }, set: { $0.codec = $1 }),
    flag(
      "isBakeInLUTEnabled", "The look is part of recordings", get: { $0.isLookBakedIn },
      set: { $0.isLookBakedIn = $1 }),
    flag(
      "isFlashlightEnabled", "The torch while recording", get: { $0.isTorchEnabled },
      set: { $0.isTorchEnabled = $1 }),
    number(
      "flashlightIntensity", "The torch's level", range: 0.001...1, get: { $0.torchLevel },
      set: { $0.torchLevel = $1 }),
    flag(
      "isExposureLockEnabledDuringRecording", "Exposure held while recording",
      get: { $0.isExposureLockedWhileRecording }, set: { $0.isExposureLockedWhileRecording = $1 }),
    flag(
      "isWhiteBalanceLockEnabled", "White balance held while recording",
      get: { $0.isWhiteBalanceLockedWhileRecording }, set: { $0.isWhiteBalanceLockedWhileRecording = $1 }),
  ]

  private static let viewfinder: [SettingKey] = [
    flag(
      "isDebugEnabled", "The overlay may be shown", get: { $0.isDebugEnabled },
      set: { $0.isDebugEnabled = $1 }),
    flag(
      "isDebugOverlayVisible", "The overlay is shown", get: { $0.isDebugOverlayVisible },
      set: { $0.isDebugOverlayVisible = $1 }),
    flag(
      "isEVBiasVisible", "The exposure wheel is shown", get: { $0.isExposureWheelVisible },
      set: { $0.isExposureWheelVisible = $1 }),
    choice(
      "functionButton1Ability", "What the first button does", get: { $0.firstButton },
      set: { $0.firstButton = $1 }),
    choice(
      "functionButton2Ability", "What the second button does", get: { $0.secondButton },
      set: { $0.secondButton = $1 }),
  ]

  private static func flag(
    _ name: String, _ purpose: String, get: @escaping @Sendable (CameraSettings) -> Bool,
    set: @escaping @Sendable (inout CameraSettings, Bool) -> Void
  ) -> SettingKey {
    SettingKey(
      name: name, accepts: "true or false", purpose: purpose,
      take: { value, settings in
        guard case .bool(let flag) = value else { return false }
        set(&settings, flag)
        return true
      }, give: { .bool(get($0)) })
  }

  private static func number(
    _ name: String, _ purpose: String, range: ClosedRange<Double>,
    get: @escaping @Sendable (CameraSettings) -> Double,
    set: @escaping @Sendable (inout CameraSettings, Double) -> Void
  ) -> SettingKey {
    SettingKey(
      name: name, accepts: "a number from \(plain(range.lowerBound)) to \(plain(range.upperBound))",
      purpose: purpose,
      take: { value, settings in
        guard let number = value.double, range.contains(number) else { return false }
        set(&settings, number)
        return true
      }, give: { .number(get($0)) })
  }

  private static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ purpose: String, get: @escaping @Sendable (CameraSettings) -> Choice,
    set: @escaping @Sendable (inout CameraSettings, Choice) -> Void
  ) -> SettingKey {
    SettingKey(
      name: name, accepts: Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", "),
      purpose: purpose,
      take: { value, settings in
        guard case .string(let text) = value, let choice = Choice(rawValue: text) else { return false }
        set(&settings, choice)
        return true
      }, give: { .string(get($0).rawValue) })
  }

  private static func plain(_ number: Double) -> String {
    number == number.rounded() ? "\(Int(number))" : "\(number)"
  }
}

extension JSONValue {
  /// The value of an integer or a floating-point number.
  var double: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The value as JSON for a message, cut to at most 60 characters.
  package var brief: String {
    let text = String(decoding: JSONSerializer.line(self), as: UTF8.self)
    return text.count <= 60 ? text : "\(text.prefix(59))…"
  }
}
