import Imagery
import Testing
import Video4Linux

@testable import Capture

@Suite struct FormatFinderTests {
  private func format(_ pixels: PixelFormat, _ width: Int, _ height: Int, _ rate: Int) -> CameraFormat {
    CameraFormat(
      image: ImageFormat(
        pixelFormat: pixels, size: PixelSize(width: width, height: height),
        color: ColorDescription(matrix: .bt601, range: .limited)),
      frameInterval: FrameInterval(framesPerSecond: rate))
  }

  @Test func theUsualWebcam() {
    let webcam = [
      format(.yuyv, 640, 480, 30), format(.yuyv, 1280, 720, 10), format(.mjpeg, 1920, 1080, 30),
      format(.mjpeg, 1280, 720, 60), format(.mjpeg, 1280, 720, 30), format(.yuyv, 160, 120, 120),
    ]
    #expect(FormatFinder().best(of: webcam) == webcam[4])
    #expect(FormatFinder(framesPerSecond: 60).best(of: webcam) == webcam[3])
    #expect(FormatFinder(size: PixelSize(width: 600, height: 480)).best(of: webcam) == webcam[0])
    #expect(FormatFinder(framesPerSecond: 5).best(of: webcam) == webcam[1])
  }

  /// Each of V4L2's names of a format, and of its variants, gives the engine's format.
  @Test func formatsAreKnownByV4L2sNames() {
    let others: [FourCC: PixelFormat] = [
      .nv12m: .nv12, .nv21m: .nv21, .nv16m: .nv16, .yuv420m: .i420, .yvu420m: .yv12, .jpeg: .mjpeg,
      .xbgr32: .bgra, .bgr32: .bgra, .rgbx32: .rgba, .argb32: .xrgb, .rgb32: .xrgb,
    ]
    for (fourCC, format) in others { #expect(PixelFormat(fourCC) == format) }
    for format in PixelFormat.allCases where format != .i444 {
      #expect(FourCC(format.rawValue).flatMap { PixelFormat($0) } == format)
    }
    // These are other formats: two bytes per pixel, hue instead of red, big-endian words, the engine's own name, and zero.
    let bigEndian = FourCC(rawValue: FourCC.y210.rawValue | 1 << 31)
    for other in [FourCC("RGBP"), FourCC("HSV3"), bigEndian, FourCC("I444"), FourCC(rawValue: 0)] {
      #expect(other.flatMap { PixelFormat($0) } == nil, "\(String(describing: other))")
    }
  }

  @Test func amongEqualsTheCheapestToConvert() {
    let formats = [PixelFormat.mjpeg, .bgra, .yuyv, .grey, .nv12].map { format($0, 1280, 720, 30) }
    #expect(FormatFinder().best(of: formats)?.image.pixelFormat == .nv12)
    #expect(FormatFinder().best(of: Array(formats.prefix(2)))?.image.pixelFormat == .bgra)
  }

  @Test func theShapeCountsMoreThanTheArea() {
    let formats = [format(.nv12, 1280, 960, 30), format(.nv12, 1024, 576, 30)]
    #expect(FormatFinder().best(of: formats) == formats[1])
  }

  @Test func aSlowCameraGivesTheFastestItHas() {
    let formats = [format(.nv12, 1280, 720, 5), format(.nv12, 640, 480, 15)]
    #expect(FormatFinder().best(of: formats) == formats[1])
    #expect(FormatFinder().best(of: []) == nil)
  }

  @Test func filmRatesAreWholeEnough() {
    var film = format(.nv12, 1280, 720, 30)
    film.frameInterval = FrameInterval(numerator: 1001, denominator: 30_000)
    #expect(FormatFinder().best(of: [format(.nv12, 640, 360, 30), film]) == film)
  }
}
