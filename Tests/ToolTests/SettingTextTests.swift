import ArgumentParser
import Foundation
import Harness
import JSON
import Settings
import Testing

@testable import swiftwing_tool

/// Settings as users write and read them.
@Suite struct SettingTextTests {
  @Test func theListHasEightyColumns() {
    var settings = CameraSettings()
    for look in ["", "/" + String(repeating: "looks/", count: 40) + "a.cube"] {
      settings.look = look
      for key in SettingKey.all {
        let lines = SettingText.lines(key, settings).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
        #expect(lines.first?.hasPrefix("  \(key.name)") == true)
      }
    }
    let rate = SettingText.lines(.named("selectedFrameRate")!, settings).split(separator: "\n")
    #expect(rate[0].split(separator: " ") == ["selectedFrameRate", "30"])
    let codec = SettingText.lines(.named("selectedCodecRaw")!, settings).split(separator: "\n")
    #expect(codec[2] == "      \"ProRes 422 HQ\"", "a name is on one line")
    #expect(rate[1] == "      Frames a second: a number from 1 to 240")
  }

  @Test func aLookIsOneThatCanBeRead() throws {
    let key = try #require(SettingKey.named("lastLUT"))
    for path in ["none", "/nowhere/a.cube", "/tmp", "/proc/version"] {
      let failure = #expect(throws: Failure.self) { try SettingText.checked(.string(path), for: key) }
      #expect(failure?.status == .usage)
      #expect(failure?.description.hasPrefix("cannot set lastLUT to \(path): ") == true)
      #expect(failure?.description.hasSuffix("`swiftwing settings unset lastLUT`") == true)
    }
    #expect(try SettingText.checked(.string(""), for: key) == .string(""))
    let file = FileManager.default.temporaryDirectory.appending(path: "look-\(UUID().uuidString).cube")
    try "LUT_1D_SIZE 2\n0 0 0\n1 1 1\n".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(try SettingText.checked(.string(file.path), for: key) == .string(file.path))
    // A relative path is stored as an absolute one, because another program runs in another folder.
    let up = String(repeating: "../", count: 40) + file.path.dropFirst()
    guard case .string(let whole) = try SettingText.checked(.string(up), for: key) else {
      Issue.record("the value is not a path")
      return
    }
    #expect(whole.hasPrefix("/") && whole.hasSuffix(up))
  }

  @Test func aSettingIsPutBackToItsDefault() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "unset-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = SettingsFile(path: folder.appending(path: "settings.json").path)
    try file.set(#require(SettingKey.named("selectedFrameRate")), to: .integer(24))
    try file.set(#require(SettingKey.named("lastLUT")), to: .string("/a.cube"))
    var command = try Invocation(["settings", "unset", "lastLUT", "--file", file.path]).command()
    try command.run()
    #expect(try file.read().settings.look.isEmpty && file.read().settings.frameRate == 24)
  }
}
