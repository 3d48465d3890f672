import Foundation
import Glibc
import JSON
import Testing

@testable import Settings

/// A temporary folder that is deleted with the object.
final class Folder {
  let path = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)").path

  init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
  func text(_ name: String) -> String? {
    FileManager.default.contents(atPath: "\(path)/\(name)").map { String(decoding: $0, as: UTF8.self) }
  }
  func write(_ text: String, to name: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: false, encoding: .utf8)
  }
}

@Suite struct SettingsFileTests {
  private let folder: Folder
  private let file: SettingsFile

  init() throws {
    folder = try Folder()
    file = SettingsFile(path: "\(folder.path)/new/folder/settings.json")
  }

  private func members(_ name: String = "new/folder/settings.json") throws -> [String: JSONValue] {
    guard case .object(let members) = try JSONParser.parse(Array(try #require(folder.text(name)).utf8)) else {
      return [:]
    }
    return members
  }

  /// SET-1: the keys and defaults of the checklist, row 77.
  @Test func firstUseWritesEveryDefault() throws {
    #expect(try file.read() == SettingsFile.Reading())
    try file.writeDefaults()
    let expected: [String: JSONValue] = [
      "selectedResolutionRaw": .string("4K"), "selectedCodecRaw": .string("HEVC"),
      "selectedFrameRate": .integer(30), "isAppleLogEnabled": .bool(false),
      "isBakeInLUTEnabled": .bool(false), "isFlashlightEnabled": .bool(false),
      "flashlightIntensity": .integer(1), "isExposureLockEnabledDuringRecording": .bool(false),
      "isWhiteBalanceLockEnabled": .bool(false), "isVideoStabilizationEnabled": .bool(false),
      "isDebugEnabled": .bool(true), "isEVBiasVisible": .bool(false),
      "isDebugOverlayVisible": .bool(false), "functionButton1Ability": .string("None"),
      "functionButton2Ability": .string("None"), "lastLUT": .string(""),
    ]
    #expect(try members() == expected)
    #expect(try file.read() == SettingsFile.Reading())
  }

  @Test func onlyWhatChangedIsWritten() throws {
    try file.writeDefaults()
    try folder.write(#"{"selectedFrameRate": 24, "ofALaterVersion": [1, 2]}"#, to: "new/folder/settings.json")
    let reading = try file.update { $0.codec = .ffv1 }
    #expect(reading.settings.frameRate == 24 && reading.settings.codec == .ffv1 && reading.warnings.isEmpty)
    #expect(
      try members() == [
        "selectedFrameRate": .integer(24), "selectedCodecRaw": .string("FFV1"),
        "ofALaterVersion": .array([.integer(1), .integer(2)]),
      ])
  }

  @Test func aValueThatCannotBeIsTheDefaultAndAWarningAndStays() throws {
    let text =
      #"{"selectedFrameRate": "fast", "selectedCodecRaw": "VP9", "isDebugEnabled": 1, "flashlightIntensity": 7}"#
    try folder.write(text, to: "settings.json")
    let file = SettingsFile(path: "\(folder.path)/settings.json")
    let reading = try file.read()
    #expect(reading.settings == CameraSettings())
    #expect(reading.warnings.count == 4)
    #expect(
      reading.warnings.contains(
        #"selectedFrameRate is "fast", but takes a number from 1 to 240; 30 is used"#))
    #expect(folder.text("settings.json") == text)
    try file.update { $0.isLogEnabled = true }
    #expect(try members("settings.json")["selectedFrameRate"] == .string("fast"))
    let rate = try #require(SettingKey.named("selectedFrameRate"))
    #expect(try file.set(rate, to: .integer(30)).warnings.count == 3, "set to the value that applies already")
    #expect(try members("settings.json")["selectedFrameRate"] == .integer(30))
  }

  @Test(arguments: ["", "{", "[]", "{\"a\":1}{", "\u{0}"])
  func aFileThatIsNotJSONIsTheDefaultsAndStaysAsItIs(text: String) throws {
    try folder.write(text, to: "settings.json")
    let file = SettingsFile(path: "\(folder.path)/settings.json")
    let reading = try file.read()
    #expect(reading.settings == CameraSettings() && reading.warnings.count == 1)
    #expect(throws: SettingsError.self) { try file.update { $0.isLogEnabled = true } }
    #expect(folder.text("settings.json") == text)
  }

  @Test func aHugeFileIsRefused() throws {
    try folder.write(
      "{\"a\": \"\(String(repeating: "x", count: 1 << 20))\"}", to: "settings.json")
    let reading = try SettingsFile(path: "\(folder.path)/settings.json").read()
    #expect(reading.warnings.first?.contains("more than 1024 KiB") == true)
  }

  /// Only the allowed number of bytes is read from a file of a gigabyte.
  @Test func aGigabyteIsRefusedToo() throws {
    try folder.write("", to: "settings.json")
    try #require(truncate("\(folder.path)/settings.json", 1 << 30) == 0)
    let file = SettingsFile(path: "\(folder.path)/settings.json")
    #expect(try file.read().warnings.first?.contains("more than 1024 KiB") == true)
    #expect(throws: SettingsError.self) { try file.update { $0.isLogEnabled = true } }
  }

  @Test func somethingThatIsNoFileIsAnError() throws {
    let pipe = "\(folder.path)/pipe"
    try #require(mkfifo(pipe, 0o600) == 0)
    for (path, kind) in [
      (folder.path, "a folder"), (pipe, "a pipe, a socket or a device"),
      ("/dev/null", "a pipe, a socket or a device"),
    ] {
      let error = #expect(throws: SettingsError.self) { try SettingsFile(path: path).read() }
      #expect(error?.kind == .system && error?.description.contains("it is \(kind); name a file") == true)
    }
    #expect(throws: SettingsError.self) { try SettingsFile(path: pipe).update { $0.isLogEnabled = true } }
  }

  /// A file without write permission is left unchanged, although its folder's permissions allow replacing it.
  @Test func aReadOnlyFileIsReadAndLeftAlone() throws {
    try folder.write(#"{"selectedFrameRate": 24}"#, to: "settings.json")
    let path = "\(folder.path)/settings.json"
    try #require(chmod(path, 0o444) == 0)
    let file = SettingsFile(path: path)
    #expect(try file.read().settings.frameRate == 24)
    let error = #expect(throws: SettingsError.self) { try file.update { $0.frameRate = 25 } }
    #expect(error?.kind == .system && error?.description.contains("read-only") == true)
    #expect(folder.text("settings.json") == #"{"selectedFrameRate": 24}"#)
  }

  @Test func aPlaceThatCannotBeWrittenIsAnError() throws {
    for path in ["/proc/self/settings.json", "/dev/null/settings.json"] {
      let file = SettingsFile(path: path)
      #expect(try file.read() == SettingsFile.Reading())
      let error = #expect(throws: SettingsError.self) { try file.update { $0.frameRate = 25 } }
      #expect(error?.kind == .system && error?.description.hasPrefix("cannot write \(path)") == true)
    }
    try folder.write("{}", to: "settings.json")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/settings.json.lock", withDestinationPath: "elsewhere")
    #expect(throws: SettingsError.self) {
      try SettingsFile(path: "\(folder.path)/settings.json").update { $0.frameRate = 25 }
    }
    #expect(folder.names == ["settings.json", "settings.json.lock"], "no link is followed to a lock")
  }

  @Test func permissionsStay() throws {
    try folder.write("{}", to: "settings.json")
    let path = "\(folder.path)/settings.json"
    try #require(chmod(path, 0o640) == 0)
    try SettingsFile(path: path).update { $0.frameRate = 25 }
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640)
  }

  /// Settings that would make the file too large to read are not written.
  @Test func aFileThatWouldBeTooLargeIsNotWritten() throws {
    let text = "{\"ofALaterVersion\": \"\(String(repeating: "x", count: (1 << 20) - 2000))\"}"
    try folder.write(text, to: "settings.json")
    let file = SettingsFile(path: "\(folder.path)/settings.json")
    let error = #expect(throws: SettingsError.self) {
      try file.update { $0.look = "/" + String(repeating: "y", count: 4000) }
    }
    #expect(error?.kind == .badInput && error?.description.contains("more than 1024 KiB") == true)
    #expect(folder.text("settings.json") == text)
    #expect(try file.update { $0.frameRate = 25 }.settings.frameRate == 25)
  }

  /// Runs in a process that can write only 64 bytes to a file, as on a full disk.
  @Test func onAFullDiskTheFileStaysAsItIs() async {
    await #expect(processExitsWith: .exitCode(0)) {
      let folder = try Folder()
      let file = SettingsFile(path: "\(folder.path)/settings.json")
      try file.writeDefaults()
      let before = folder.text("settings.json")
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 64, rlim_max: 64)
      guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { exit(2) }
      var refusal: SettingsError?
      do throws(SettingsError) { try file.update { $0.frameRate = 25 } } catch { refusal = error }
      guard refusal?.kind == .system, folder.text("settings.json") == before else { exit(3) }
      // No temporary file is left.
      exit(folder.names == ["settings.json", "settings.json.lock"] ? 0 : 4)
    }
  }

  /// SET-1, row 78: if several programs write at once, no key is lost. Each changes its own key in the file's present content.
  @Test func twoWritersLoseNothingOfEachOthers() async throws {
    let file = file
    try file.writeDefaults()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { for rate in 1...60 { try file.update { $0.frameRate = Double(rate) } } }
      group.addTask { for step in 1...60 { try file.update { $0.torchLevel = Double(step) / 60 } } }
      group.addTask { for step in 1...60 { try file.update { $0.look = "/look/\(step).cube" } } }
      try await group.waitForAll()
    }
    let settings = try file.read().settings
    #expect(settings.frameRate == 60 && settings.torchLevel == 1 && settings.look == "/look/60.cube")
    #expect(folder.text("new/folder/settings.json") != nil)
    let left = (try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/new/folder")).sorted()
    #expect(left == ["settings.json", "settings.json.lock"], "no draft is left")
  }

  @Test func aLinkIsFollowedAndStays() throws {
    try folder.write("{}", to: "real.json")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/link.json", withDestinationPath: "real.json")
    try SettingsFile(path: "\(folder.path)/link.json").update { $0.isLogEnabled = true }
    #expect(folder.text("real.json")?.contains("isAppleLogEnabled") == true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/link.json") == "real.json")
  }

  @Test func everyKeyTakesWhatItGivesAndWhatIsWritten() throws {
    #expect(Set(SettingKey.all.map(\.name)).count == SettingKey.all.count)
    for key in SettingKey.all {
      var settings = CameraSettings()
      #expect(key.take(key.value(in: settings), &settings), "\(key.name)")
      #expect(settings == CameraSettings(), "\(key.name)")
      #expect(!key.take(.null, &settings) && !key.take(.array([]), &settings), "\(key.name)")
    }
    let written: [(String, String, JSONValue?)] = [
      ("isAppleLogEnabled", "on", .bool(true)), ("isAppleLogEnabled", "False", .bool(false)),
      ("isAppleLogEnabled", "1", nil), ("selectedFrameRate", "29.97", .number(29.97)),
      ("selectedFrameRate", "0", nil), ("selectedFrameRate", "nan", nil), ("selectedFrameRate", "x", nil),
      ("selectedResolutionRaw", "1080p", .string("1080p")), ("selectedResolutionRaw", "8K", nil),
      ("lastLUT", "/a/b.cube", .string("/a/b.cube")), ("lastLUT", "1", .string("1")),
    ]
    for (name, text, value) in written {
      #expect(try #require(SettingKey.named(name)).value(written: text) == value, "\(name) \(text)")
    }
  }

  /// `docs/camera.md` lists every key with its default.
  @Test func everyKeyIsExplained() throws {
    let page = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../docs/camera.md"),
      encoding: .utf8)
    for key in SettingKey.all {
      let row = try #require(
        page.split(separator: "\n").first { $0.hasPrefix("| `\(key.name)` |") }, "\(key.name)")
      let standard = key.value(in: CameraSettings()).brief.filter { $0 != "\"" }
      let cell = row.split(separator: "|")[1].filter { $0 != " " && $0 != "`" }
      #expect(String(cell) == (standard.isEmpty ? "none" : standard.filter { $0 != " " }), "\(key.name)")
    }
  }

  /// Whatever a file contains, each value that is read is within the range of its key.
  @Test func noValueHurts() throws {
    let values: [JSONValue] = [
      .null, .bool(true), .integer(.max), .integer(.min), .integer(0), .number(1e308), .number(-0.5),
      .string(""),
      .string(String(repeating: "a", count: 5000)), .string("\u{0}"), .string("4K"), .array([]), .object([:]),
    ]
    for (offset, key) in SettingKey.all.enumerated() {
      for value in values {
        let members = Dictionary(
          uniqueKeysWithValues: SettingKey.all.enumerated().map { index, other in
            (other.name, index == offset ? value : values[(index + offset) % values.count])
          })
        try folder.write(
          String(decoding: JSONSerializer.document(.object(members)), as: UTF8.self), to: "settings.json")
        let settings = try SettingsFile(path: "\(folder.path)/settings.json").read().settings
        #expect((1...240).contains(settings.frameRate) && (0.001...1).contains(settings.torchLevel))
        #expect(settings.look.utf8.count <= 4096)
        var copy = settings
        #expect(key.take(key.value(in: settings), &copy) && copy == settings)
      }
    }
  }

  /// A child process has copies of all descriptors until it executes its program. They must not keep the lock.
  @Test func theLockIsLetGoOfForCopiesOfItToo() throws {
    let lock = "\(file.path).lock"
    var copies: [CInt] = []
    defer { for copy in copies { close(copy) } }
    try file.update { settings in
      copies = descriptors(of: lock).map { dup($0) }
      settings.isLogEnabled = true
    }
    #expect(copies.count == 1)
    let other = open(lock, O_RDWR | O_CLOEXEC)
    defer { close(other) }
    #expect(flock(other, LOCK_EX | LOCK_NB) == 0)
  }

  private func descriptors(of path: String) -> [CInt] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return all.compactMap { CInt($0) }.filter {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  /// Cancels a task while it receives a change. Neither side may wait for the other.
  @Test(.timeLimit(.minutes(2))) func aWatchCanBeLeftWhileItTells() async throws {
    let file = file
    for round in 0..<100 {
      let readings = try SettingsWatch.readings(of: file)
      let listener = Task { for await _ in readings {} }
      for frame in 0..<round % 5 { try file.update { $0.frameRate = Double(24 + frame) } }
      listener.cancel()
      await listener.value
      if round % 5 > 0 { #expect(try file.read().settings.frameRate == Double(23 + round % 5)) }
    }
    // The cancelled watches have no effect on a new one, which gets a reading.
    for await reading in try SettingsWatch.readings(of: file) {
      #expect(reading.settings.frameRate == 27)
      break
    }
  }

  /// SET-1, row 78: a change by one program is reported to another.
  @Test func aChangeIsTold() async throws {
    let file = file
    var changes = 0
    for await reading in try SettingsWatch.readings(of: file) {
      changes += 1
      switch changes {
      case 1:
        #expect(reading == SettingsFile.Reading())
        try file.update { $0.isLogEnabled = true }
      case 2:
        #expect(reading.settings.isLogEnabled)
        try folder.write(#"{"selectedFrameRate": 24}"#, to: "new/folder/settings.json")
      default: break
      }
      // A file that is written in place may be read while it is still empty.
      if changes > 2, reading.settings.frameRate == 24 { break }
      if changes > 8 {
        Issue.record("\(reading)")
        break
      }
    }
  }
}

@Suite struct PresetFileTests {
  private let folder: Folder
  private let file: PresetFile

  init() throws {
    folder = try Folder()
    file = PresetFile(path: "\(folder.path)/presets.json")
  }

  @Test func presetsAreKeptByCameraAndName() throws {
    let desk: PresetFile.Values = [
      "exposure-bias": .number(-0.3), "focus-point": .array([.number(0.5), .integer(0)]),
    ]
    try file.save(desk, as: "desk", of: "one")
    try file.save(["torch": .integer(0)], as: "dark", of: "one")
    try file.save(["torch": .integer(1)], as: "desk", of: "two")
    #expect(try file.presets(of: "one") == ["desk": desk, "dark": ["torch": .integer(0)]])
    #expect(try file.presets(of: "two") == ["desk": ["torch": .integer(1)]])
    #expect(try file.presets(of: "three").isEmpty)
    #expect(try file.remove("dark", of: "one"))
    #expect(try !file.remove("dark", of: "one"))
    #expect(try file.presets(of: "one").keys.sorted() == ["desk"])
  }

  @Test(arguments: ["", "a b", "../a", "ü", String(repeating: "a", count: 65), "a\n"])
  func aNameThatCannotBeIsRefused(name: String) {
    let error = #expect(throws: SettingsError.self) {
      try file.save(["torch": .integer(0)], as: name, of: "one")
    }
    #expect(error?.kind == .badInput && folder.text("presets.json") == nil)
  }

  @Test(arguments: [
    #"{"cameras": 1}"#, #"{"cameras": {"one": []}}"#, #"{"cameras": {"one": {"desk": 3}}}"#, "x",
  ])
  func aDamagedFileIsAnErrorAndStays(text: String) throws {
    try folder.write(text, to: "presets.json")
    #expect(throws: SettingsError.self) { try file.presets(of: "one") }
    #expect(throws: SettingsError.self) { try file.save(["torch": .integer(0)], as: "desk", of: "one") }
    #expect(folder.text("presets.json") == text)
  }
}
