@testable import JSON
@testable import Settings

extension FuzzTarget {
  /// The files that users may edit, and that several programs change.
  static let choices = [settings, presets]

  private static let settings = FuzzTarget(
    name: "settings", longest: 2048,
    seeds: [
      [UInt8](
        #"{"selectedResolutionRaw": "720p", "selectedFrameRate": 23.976, "isAppleLogEnabled": true, "ofALaterVersion": [1, {"a": null}]}"#
      ),
      [UInt8](
        #"{"flashlightIntensity": 0, "selectedCodecRaw": 3, "lastLUT": "/a.cube", "functionButton1Ability": "None"}"#
      ),
      [UInt8]("{}"),
    ]
  ) { bytes in
    let members: [String: JSONValue]
    do throws(SettingsError) { members = try SharedDocument.members(in: Array(bytes), of: "file") } catch {
      return hold(!error.description.isEmpty, "an error without a word")
    }
    let reading = SettingsFile.reading(of: members)
    check(reading.settings)
    hold(reading.warnings.count <= SettingKey.all.count, "more warnings than keys")
    var changed = members
    SettingsFile.change(&changed) { $0.isLogEnabled.toggle() }
    let isOther = { (key: String) in key != "isAppleLogEnabled" }
    hold(
      changed.filter { isOther($0.key) } == members.filter { isOther($0.key) },
      "a change of one key changed another")
    let again = SettingsFile.reading(of: reread(changed)).settings
    hold(again.isLogEnabled != reading.settings.isLogEnabled, "a change was not kept")
    check(again)
  }

  /// Checks that settings are within the ranges of their keys, whatever the file contains.
  private static func check(_ settings: CameraSettings) {
    hold((1...240).contains(settings.frameRate), "a rate of \(settings.frameRate)")
    hold((0.001...1).contains(settings.torchLevel), "a torch of \(settings.torchLevel)")
    hold(settings.look.utf8.count <= 4096 && !settings.look.utf8.contains(0), "a path that is none")
    for key in SettingKey.all {
      var copy = CameraSettings()
      hold(key.take(key.value(in: settings), &copy), "\(key.name) does not take what it gives")
      hold(key.value(in: copy) == key.value(in: settings), "\(key.name) is another when it is read again")
    }
  }

  private static let presets = FuzzTarget(
    name: "presets", longest: 2048,
    seeds: [
      [UInt8](
        #"{"cameras": {"uvcvideo: C920": {"desk": {"iso": 400, "focus-point": {"x": 0.5, "y": 1}, "exposure-mode": "auto"}}}}"#
      ),
      [UInt8](#"{"cameras": {"a": {}}, "ofALaterVersion": 1}"#), [UInt8](#"{"cameras": []}"#),
    ]
  ) { bytes in
    guard let members = try? SharedDocument.members(in: Array(bytes), of: "file") else { return }
    var names = ["uvcvideo: C920", ""]
    if case .object(let cameras)? = members["cameras"] { names += cameras.keys }
    for name in names {
      guard let presets = try? PresetFile.presets(in: members, of: name, "file") else { continue }
      var changed = members
      guard (try? PresetFile.enter(presets, of: name, into: &changed, "file")) != nil else { continue }
      let again = try? PresetFile.presets(in: reread(changed), of: name, "file")
      hold(again.map(written) == written(presets), "presets are others when they are read again")
      hold(changed["ofALaterVersion"] == members["ofALaterVersion"], "what is not known was lost")
    }
  }

  /// Returns the bytes of presets as a file stores them, where 3.0 equals 3.
  private static func written(_ presets: [String: PresetFile.Values]) -> [UInt8] {
    JSONSerializer.line(.object(presets.mapValues { .object($0) }))
  }

  /// Returns the members as another program reads them from the file.
  private static func reread(_ members: [String: JSONValue]) -> [String: JSONValue] {
    guard let bytes = try? SharedDocument.bytes(of: members, for: "file") else {
      // An input of two kilobytes cannot make a file that exceeds the limit of a megabyte.
      fatalError("a file that cannot be written")
    }
    guard let again = try? SharedDocument.members(in: bytes, of: "file") else {
      fatalError("a file that cannot be read again")
    }
    return again
  }
}
