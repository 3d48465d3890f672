import CVideo4Linux
import Imagery
import ScriptedKernel
import System
import Testing
import Video4Linux

@testable import Capture

/// Cameras that deliver a sensor's own samples.
@Suite struct V4L2RawFormatTests {
  private func code(_ name: String) throws -> FourCC { try #require(FourCC(name)) }

  /// `linux/videodev2.h`.
  @Test(arguments: [
    (PixelFormat.bayerBGGR, "BA81 BG10 pBAA ip3b BG12 pBCC BG14 pBEE BYR2"),
    (.bayerGBRG, "GBRG GB10 pGAA ip3g GB12 pGCC GB14 pGEE GB16"),
    (.bayerGRBG, "GRBG BA10 pgAA ip3G BA12 pgCC GR14 pgEE GR16"),
    (.bayerRGGB, "RGGB RG10 pRAA ip3r RG12 pRCC RG14 pREE RG16"),
    (.grey, "GREY Y10_ Y10P Y10B ip3y Y12_ Y012 Y12P Y14_ Y14P Y16_"),
  ])
  func theyAreKnownByTheirNames(format: PixelFormat, names: String) throws {
    for name in names.split(separator: " ") {
      let code = try code(String(name.replacing("_", with: " ")))
      #expect(PixelFormat(code) == format, "\(name)")
    }
  }

  @Test func bigEndianWordsAreKnownAndCompressedSamplesAreNot() throws {
    #expect(PixelFormat(try code("Y16 ").bigEndian) == .grey)
    for name in ["aBA8", "bBA8", "BD10", "Y12I", "Z16 ", "Y8I "] {
      #expect(PixelFormat(try code(name)) == nil, "\(name)")
    }
  }

  /// A converted picture has memory of its own, so the driver has its buffer back at once.
  @Test func samplesAreConvertedAndTheBufferGoesBack() throws {
    let rig = CameraRig([ScriptedMode(try code("RG12"), 64, 36)])
    #expect(try rig.start().image.pixelFormat == .bayerRGGB)
    let all = rig.kernel.held.count
    let image = try rig.image().image
    #expect(rig.kernel.held.count == all)
    #expect(image.planes.map(\.bytesPerRow) == [64])
    #expect(image.planes.map(\.height) == [36])
    rig.camera.close()
    #expect(rig.kernel.leaks.isEmpty)
  }

  /// Of two formats that become the same one, the engine takes the one that it can lend, whichever the driver lists first.
  @Test func samplesOfEightBitsComeFirst() throws {
    let rig = CameraRig([ScriptedMode(try code("RG10"), 64, 36), ScriptedMode(try code("RGGB"), 64, 36)])
    try rig.start()
    let all = rig.kernel.held.count
    let image = try rig.image().image
    #expect(rig.kernel.held.count == all - 1)
    #expect(image.format.pixelFormat == .bayerRGGB)
  }

  @Test func aRowOfPackedSamplesNeedsItsBytes() throws {
    let rig = CameraRig([ScriptedMode(try code("RG12"), 64, 36)])
    try rig.start()
    guard case .damagedFrame(_, let reason) = try rig.event({ raw, _ in raw.bytesused = 64 * 36 }) else {
      Issue.record("half a picture was taken for a whole one")
      return
    }
    #expect(reason.contains("4608"))
  }

  @Test(arguments: [("RG12", 4095, "4094"), ("RG12", -1, "4094"), ("YUYV", 16, "black")])
  func aBlackLevelMustBeOfTheFormat(name: String, black: Int, word: String) throws {
    var request = V4L2Request()
    request.blackLevel = black
    let rig = CameraRig([ScriptedMode(try code(name), 64, 36)], request: request)
    let error = #expect(throws: CameraError.self) { try rig.start() }
    #expect(try #require(error).description.contains(word))
  }
}
