import Foundation
import Harness
import Imagery
import Recording
import Settings
import Testing

@testable import swiftwing_tool

/// The settings of a recording, from the shared settings and from its own options.
@Suite struct RecordWishesTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "wishes-\(UUID().uuidString)")

  /// Writes a look into a file.
  private func cube(_ name: String, _ white: Double) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: name)
    try "LUT_1D_SIZE 2\n0 0 0\n\(white) \(white) \(white)\n".write(
      to: file, atomically: true, encoding: .utf8)
    return file.path
  }

  @Test func withoutASettingNothingIsHeldAndNothingColoured() throws {
    let wishes = try RecordWishes(look: nil, path: "film.mp4", settings: CameraSettings())
    #expect(wishes.conditions == RecordingConditions() && wishes.look == nil)
  }

  @Test func eachSettingIsACondition() throws {
    var settings = CameraSettings()
    (settings.isTorchEnabled, settings.torchLevel) = (true, 0.25)
    #expect(try wishes(settings) == RecordingConditions(torch: 0.25))
    settings.isExposureLockedWhileRecording = true
    #expect(try wishes(settings) == RecordingConditions(locksExposure: true, torch: 0.25))
    (settings.isTorchEnabled, settings.isWhiteBalanceLockedWhileRecording) = (false, true)
    #expect(try wishes(settings) == RecordingConditions(locksExposure: true, locksWhiteBalance: true))
  }

  private func wishes(_ settings: CameraSettings) throws -> RecordingConditions {
    try RecordWishes(look: nil, path: "film.mp4", settings: settings).conditions
  }

  /// The look of the settings is baked in only if `isLookBakedIn` is set. A corpus keeps the camera's pictures.
  @Test func theLookIsThatOfTheOptionOrOfTheSettings() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    var settings = CameraSettings()
    settings.look = try cube("settings.cube", 0.5)
    let own = try cube("own.cube", 0.25)
    #expect(try RecordWishes(look: nil, path: "film.mp4", settings: settings).look == nil, "only shown")
    settings.isLookBakedIn = true
    let baked = try RecordWishes(look: nil, path: "film.mov", settings: settings).look
    #expect(try baked == ColorLookup(file: settings.look))
    #expect(try RecordWishes(look: nil, path: "Corpus/mine", settings: settings).look == nil)
    let chosen = try RecordWishes(look: own, path: "film.mov", settings: settings).look
    #expect(try chosen == ColorLookup(file: own))
  }

  @Test func aLookThatCannotBeReadIsSaidAndNeverLeftOut() throws {
    var settings = CameraSettings()
    (settings.look, settings.isLookBakedIn) = ("/nowhere.cube", true)
    let failure = #expect(throws: Failure.self) {
      try RecordWishes(look: nil, path: "film.mp4", settings: settings)
    }
    #expect(failure?.status == .usage && failure?.description.hasPrefix("cannot use /nowhere.cube: ") == true)
    #expect(failure?.description.contains(".;") == false)
    // The user has not given the file in this command, so the error must name the setting that did.
    for word in ["lastLUT", "`--no-settings`"] { #expect(failure?.description.contains(word) == true) }
    let own = #expect(throws: Failure.self) {
      try RecordWishes(look: "/nowhere.cube", path: "film.mp4", settings: CameraSettings())
    }
    #expect(own?.description.contains("settings") == false)
  }
}
