package import JSON
import System

/// The presets of camera controls that users have saved, by camera and name, in one file beside the settings.
///
/// ```json
/// {"cameras": {"usb:046d:0825:8A2F01": {"desk": {"exposure-bias": -0.3, "white-balance-mode": "auto"}}}}
/// ```
package struct PresetFile: Sendable {
  /// The values of a preset by the names of the controls: numbers, texts, flags, and objects with `x` and `y` for points.
  package typealias Values = [String: JSONValue]

  private let document: SharedDocument
  /// The maximum numbers of cameras, of presets of a camera, and of values of a preset. All are far above any actual use.
  private static let (mostCameras, mostPresets, mostValues) = (256, 64, 128)

  /// - Parameter path: by default `presets.json` in the folder of the settings file.
  package init(path: String = PresetFile.standardPath()) { document = SharedDocument(path: path) }

  package var path: String { document.path }

  package static func standardPath() -> String {
    let settings = SettingsFile.standardPath()
    return settings.folderName.map { "\($0)/presets.json" } ?? "presets.json"
  }

  /// Whether a preset can have this name: 1 to 64 letters, digits, hyphens, underscores and points.
  package static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
          true
        default: false
        }
      }
  }

  /// The presets of a camera, by name. Empty if there is no file.
  /// - Throws: `damaged` if the file does not contain presets.
  package func presets(of camera: String) throws(SettingsError) -> [String: Values] {
    try Self.presets(in: try document.read() ?? [:], of: camera, path)
  }

  /// Saves `values` under that name, replacing a preset of that name.
  package func save(_ values: Values, as name: String, of camera: String) throws(SettingsError) {
    guard Self.isName(name) else {
      throw SettingsError(
        .badInput,
        "cannot save the preset \(name.prefix(80)): a name has 1 to 64 letters, digits, hyphens, underscores and points"
      )
    }
    guard !values.isEmpty, values.count <= Self.mostValues else {
      throw SettingsError(
        .badInput,
        "cannot save the preset \(name): it has \(values.count) values; save 1 to \(Self.mostValues)")
    }
    try change(camera) { presets throws(SettingsError) in
      presets[name] = values
      guard presets.count <= Self.mostPresets else {
        throw SettingsError(
          .badInput,
          "cannot save the preset \(name): the camera has \(Self.mostPresets) presets already; "
            + "remove one with `swiftwing controls forget`")
      }
    }
  }

  /// - Returns: false if there is no such preset.
  @discardableResult package func remove(_ name: String, of camera: String) throws(SettingsError) -> Bool {
    try change(camera) { presets in presets.removeValue(forKey: name) != nil }
  }

  // MARK: - The file

  private func change<Result>(
    _ camera: String, _ change: (inout [String: Values]) throws(SettingsError) -> Result
  ) throws(SettingsError) -> Result {
    let path = path
    return try document.update { (members) throws(SettingsError) -> Result in
      var presets = try Self.presets(in: members, of: camera, path)
      let result = try change(&presets)
      try Self.enter(presets, of: camera, into: &members, path)
      return result
    }
  }

  /// Replaces the presets of a camera.
  static func enter(
    _ presets: [String: Values], of camera: String, into members: inout [String: JSONValue], _ path: String
  ) throws(SettingsError) {
    var cameras: [String: JSONValue] = [:]
    if case .object(let known) = members["cameras"] { cameras = known }
    cameras[camera] = presets.isEmpty ? nil : JSONValue.object(presets.mapValues { JSONValue.object($0) })
    guard cameras.count <= Self.mostCameras else {
      throw SettingsError(
        .badInput,
        "cannot save the preset: \(path) has \(Self.mostCameras) cameras already; remove the presets of one "
          + "with `swiftwing controls forget`")
    }
    members["cameras"] = .object(cameras)
  }

  static func presets(
    in members: [String: JSONValue], of camera: String, _ path: String
  ) throws(SettingsError) -> [String: Values] {
    guard let listed = members["cameras"] else { return [:] }
    guard case .object(let cameras) = listed else { throw .damaged(path, "\"cameras\" is not a JSON object") }
    guard let kept = cameras[camera] else { return [:] }
    guard case .object(let presets) = kept else {
      throw .damaged(path, "the presets of the camera \(camera.prefix(64)) are not a JSON object")
    }
    var result: [String: Values] = [:]
    for (name, value) in presets {
      guard case .object(let values) = value else {
        throw .damaged(path, "the preset \(name.prefix(64)) is not a JSON object")
      }
      result[name] = values
    }
    return result
  }
}
