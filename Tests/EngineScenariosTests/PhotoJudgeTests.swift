import Capture
import Imagery
import Testing

@testable import EngineScenarios
@testable import Harness
@testable import Probes

/// The verdict on photos and on the preview's colours.
@Suite struct PhotoJudgeTests {
  private let rig = Rig(specification: "simulated:640x480@50", viewfinder: "")

  /// Real photos of a drawn scene pass. A photo whose source is too large, or whose similarity is too low, fails.
  @Test func sizeAndQualityAreJudgedByTheWorstPhoto() async throws {
    let scenario = PhotoFormats(rig: rig)
    let sound = try await PhotoPlay(rig: rig, bundled: "").shots(count: 2)
    #expect(scenario.sizeCheck(sound, "x").passed && scenario.qualityCheck(sound, "x").passed)
    let first = try #require(sound.first)
    var larger = first.source
    larger.size = PixelSize(width: 1280, height: 960)
    let small = PhotoShot(photo: first.photo, source: larger, similarity: 1)
    #expect(!scenario.sizeCheck(sound + [small], "x").passed)
    let blurred = PhotoShot(photo: first.photo, source: first.source, similarity: 0.94)
    #expect(!scenario.qualityCheck(sound + [blurred], "x").passed)
    // A photo that was not compared fails too.
    let unknown = PhotoShot(photo: first.photo, source: first.source, similarity: nil)
    #expect(!scenario.qualityCheck([unknown], "x").passed)
  }

  @Test(arguments: [
    (1920, 1440, true, true), (1919, 1439, true, false), (1919, 1439, false, true),
    (1921, 1441, false, false),
    (1920, 1442, true, false), (1440, 1920, true, false), (1024, 768, false, true), (1024, 768, true, false),
  ])
  func aPhotoMayBeAsLargeAsTheCeilingAndNoLarger(width: Int, height: Int, isFull: Bool, isRight: Bool) {
    let mistake = PhotoCeiling.mistake(
      PixelSize(width: width, height: height), of: PixelSize(width: 4000, height: 3000), isFull: isFull)
    #expect((mistake == nil) == isRight, "\(mistake ?? "no mistake")")
  }

  // MARK: Colours

  /// Returns the finding for a picture that is shown correctly, or with one value off by `levels`.
  private func finding(_ pixelFormat: PixelFormat, off levels: Double = 0) throws -> ColorFinding {
    let format = ImageFormat(
      pixelFormat: pixelFormat == .mjpeg ? .i420 : pixelFormat, size: PixelSize(width: 32, height: 24),
      color: ColorDescription(matrix: .bt709, range: .limited))
    let frame = try CodeNoise.picture(format, seed: 1)
    let exact = try ReferencePicture(exactly: frame).samples
    var values = exact.values
    let place = try #require(values.firstIndex { $0 < 128 })
    values[place] = values[place].rounded() + levels
    let distance = try #require(
      ColorDistance(RGBSamples(size: exact.size, values: values), of: frame, turned: .upright))
    var named = format
    named.pixelFormat = pixelFormat
    return ColorFinding(source: "drawn", format: named, orientation: .upright, distance: distance)
  }

  @Test func everyFormatMustBeSeenAndNoneBeOff() throws {
    let scenario = PreviewColors(rig: Rig(viewfinder: ""))
    let sound = try PreviewColors.formats.map { try finding($0) }
    #expect(try scenario.observation(sound, .exact).red() == [])
    let off = try scenario.observation(sound + [finding(.nv12, off: 7)], .exact)
    #expect(try off.red() == ["preview.nv12.error"])
    let unseen = scenario.observation(sound.filter { $0.format.pixelFormat != .yuyv }, .exact)
    #expect(try unseen.red() == ["preview.colours.seen"])
    #expect(unseen.checks.first?.detail.contains("YUYV") == true)
    #expect(try scenario.observation([], .exact).red() == ["preview.colours.seen"])
  }
}
