import ArgumentParser
import Console
import Foundation
import JSON
import Settings
import System
import Testing

@testable import swiftwing_tool

/// `swiftwing photo` with a camera, run as a process: its files, messages and exit statuses.
@Suite struct CameraPhotoTests {
  private static let program = RunningProgram.sibling("swiftwing-tool")
  private let folder = FileManager.default.temporaryDirectory.appending(path: "photo-\(UUID().uuidString)")

  private struct Said {
    var status: Int32
    var output: String
    var errors: String
  }

  private func photo(_ source: String, _ name: String, _ options: String...) throws -> Said {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let settings = "SWIFTWING_SETTINGS=\(folder.path)/settings.json"
    let arguments = [settings, Self.program, "photo", source, "--out", "\(folder.path)/\(name)"] + options
    let said = try ChildProcess.run("env", arguments, keeping: 1 << 20, keepingErrors: 1 << 20)
    return Said(
      status: said.end.status, output: String(decoding: said.output, as: UTF8.self),
      errors: String(decoding: said.errors, as: UTF8.self))
  }

  private func clean() { try? FileManager.default.removeItem(at: folder) }
  private func isThere(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path)
  }

  @Test func aPhotoIsReplacedOnlyWithReplace() throws {
    defer { clean() }
    #expect(try photo("simulated:64x64@30", "a.jpg").status == 0)
    let again = try photo("simulated:64x64@30", "a.jpg")
    #expect(again.status == 2 && again.errors.contains("replace it with --replace") && again.output.isEmpty)
    let replaced = try photo("simulated:64x64@30", "a.jpg", "--replace")
    #expect(replaced.status == 0 && replaced.errors == "note: replaced \(folder.path)/a.jpg\n")
    // If one of a burst's file names is in use, no photo of the burst is taken.
    #expect(try photo("simulated:64x64@30", "b-2.jpg").status == 0)
    let burst = try photo("simulated:64x64@30", "b.jpg", "--burst", "3")
    #expect(burst.status == 2 && burst.errors.contains("b-2.jpg") && !isThere("b-1.jpg"))
    let picture = "\(folder.path)/a.jpg"
    #expect(try photo(picture, "b-2.jpg").status == 2)
    #expect(try photo(picture, "b-2.jpg", "--replace").status == 0)
  }

  /// If the preset cannot be set completely, the photo is written, and the exit status is that of `controls set`.
  @Test func whatThePresetCannotSetIsSaid() throws {
    defer { clean() }
    let presets = PresetFile(path: "\(folder.path)/presets.json")
    try presets.save(
      ["torch": .number(1)], as: "desk", of: "simulated: Simulated camera")
    let said = try photo("simulated:64x64@30", "a.jpg", "--preset", "desk")
    #expect(said.status == 1 && isThere("a.jpg") && said.output.contains("a.jpg: 64×64"))
    #expect(said.errors.hasPrefix("note: torch was not set to 1: ") && said.errors.count { $0 == "\n" } == 1)
    let json = try photo("simulated:64x64@30", "b.jpg", "--preset", "desk", "--json")
    #expect(json.status == 1 && json.output.contains("\"control\" : \"torch\""))
  }

  @Test func exposuresThatTheCameraHasNotAreSaid() throws {
    defer { clean() }
    let said = try photo("simulated:64x64@30", "a.jpg", "--bracket", "-8,0,8")
    #expect(said.status == 0 && isThere("a-3.jpg"))
    #expect(
      said.errors
        == "note: clamped, because the camera has no more: exposure-bias -8 to -2, exposure-bias 8 to 2\n")
    #expect(try photo("simulated:64x64@30", "b.jpg", "--bracket", "-1,0").errors.isEmpty)
  }

  /// If several photos are missing, the reason is reported once.
  @Test func theEndOfASourceIsSaidOnce() throws {
    defer { clean() }
    let said = try photo("simulated:64x64@30?frames=3", "a.jpg", "--burst", "9")
    let taken = (1...9).filter { isThere("a-\($0).jpg") }
    #expect(said.status == 1 && !taken.isEmpty && taken.count < 9)
    #expect(taken == Array(1...taken.count), "the photos that were taken are numbered from 1")
    #expect(said.errors.count { $0 == "\n" } == 1)
    #expect(said.errors.contains(" of 9 photos are missing: ") && said.errors.contains(" had ended"))
    let late = try photo("simulated:64x64@30?frames=1", "b.jpg", "--delay", "0.5")
    #expect(late.status == 1 && late.errors.contains(" had ended; ") && !isThere("b.jpg"))
  }

  @Test(arguments: [
    ("corpus:nope", "there is no such corpus; see `swiftwing corpus list`", 4 as Int32),
    ("corpus:/nope/nope", "there is no such corpus; name a folder that has a corpus.json", 4),
    ("/tmp", "it is a folder; name a picture in it", 2),
    ("simulated:64x64@29.97", "the frame rate must be a whole number from 1 to 240, and 29.97 is not", 2),
  ])
  func theAdviceFits(source: String, advice: String, status: Int32) throws {
    defer { clean() }
    let said = try photo(source, "a.jpg")
    #expect(said.status == status && said.errors.contains(advice), "\(said.errors)")
  }

  @Test func aSideThatNoPhotoHasIsRefused() throws {
    let line = ["photo", "/dev/video0", "--out", "a.jpg", "--long-side"]
    let error = #expect(throws: (any Error).self) { try Invocation(line + ["1921"]).command() }
    #expect(
      error.map { SwiftwingCommands.message(for: $0) } == "--long-side must be 1 to 1920, not 1921")
    _ = try Invocation(line + ["1920"]).command()
  }

  /// The viewfinder ends by printing totals that programs can parse.
  @Test func aViewfinderEndsWithItsFigures() throws {
    let said = try ChildProcess.run(
      RunningProgram.sibling("swiftwing"),
      ["view", "--source", "simulated:64x64@60", "--size", "64x64", "--frames", "3", "--json"],
      keeping: 1 << 20, keepingErrors: 1 << 20)
    let lines = String(decoding: said.output, as: UTF8.self).split(separator: "\n")
    let totals = try lines.map { try JSONParser.parse(Array($0.utf8)) }.compactMap { value in
      if case .object(let members) = value, members["event"] == .string("total") { members } else { nil }
    }
    #expect(totals.count == 1 && totals.first?["pictures"] == .integer(3))
    #expect(totals.first?["width"] == .integer(64) && totals.first?["format"] == .string("NV12"))
  }
}
