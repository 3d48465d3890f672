import Imagery
import Testing

@testable import Recording

@Suite struct MoviePlanTests {
  private func plan(
    _ settings: RecordingSettings, _ pixelFormat: PixelFormat, upright: Orientation = .upright,
    size: PixelSize = PixelSize(width: 641, height: 480), matrix: ColorMatrix = .bt709,
    encoders: Set<String> = ["libx264", "prores_ks"], isLeftToOutputs: Bool = false,
    takesAll: Bool = true
  ) throws(RecordingError) -> MoviePlan {
    let color = ColorDescription(matrix: matrix, range: .limited)
    let first = MoviePlan.Beginning(
      format: ImageFormat(pixelFormat: pixelFormat, size: size, color: color), upright: upright,
      isLeftToOutputs: isLeftToOutputs)
    return try MoviePlan(
      settings, first, path: "film.mp4",
      encoders: Encoders(has: encoders.contains) { _, sampling, isWide in
        takesAll || (sampling == .s420 && !isWide)
      })
  }

  private struct Untouched: RecordingLook {
    func apply(to picture: PixelBuffer) throws(ImageError) {}
  }

  @Test func motionJPEGIsCopiedUnlessSomethingIsBakedIn() throws {
    let turned = Orientation(rotation: .clockwise90)
    let copied = try plan(RecordingSettings(), .mjpeg, upright: turned)
    #expect(copied.way == .copied && copied.codec == .mjpeg && copied.tagged == turned)
    #expect(copied.size == PixelSize(width: 641, height: 480), "JPEG allows odd sides")
    let baked = try plan(RecordingSettings(orientation: .baked), .mjpeg, upright: turned)
    #expect(baked.way == .encoded(by: "libx264") && baked.tagged == .upright && baked.baked == turned)
    #expect(baked.size == PixelSize(width: 480, height: 640))
    let upright = try plan(RecordingSettings(orientation: .baked), .mjpeg)
    #expect(upright.way == .copied, "there is nothing to turn")
    #expect(try plan(RecordingSettings(look: Untouched()), .mjpeg).way == .encoded(by: "libx264"))
    #expect(try plan(RecordingSettings(codec: .mjpeg, look: Untouched()), .mjpeg).way == .jpeg)
  }

  @Test func whatHasNoEncoderIsJPEGOrRefused() throws {
    #expect(try plan(RecordingSettings(), .nv12).way == .encoded(by: "libx264"))
    #expect(try plan(RecordingSettings(), .nv12, encoders: []).way == .jpeg)
    #expect(
      try plan(RecordingSettings(), .nv12, encoders: ["libopenh264"]).way == .encoded(by: "libopenh264"))
    let hevc = #expect(throws: RecordingError.self) { try plan(RecordingSettings(codec: .hevc), .nv12) }
    #expect(hevc?.code == .noEncoder)
    let unknown = RecordingSettings(codec: RecordingCodec(rawValue: "vhs"))
    let refused = #expect(throws: RecordingError.self) { try plan(unknown, .nv12) }
    #expect(refused?.code == .settings)
  }

  @Test func whatIsEncodedHasTheColoursThatPlayersExpect() throws {
    let limited = ColorDescription(matrix: .bt709, range: .limited)
    #expect(try plan(RecordingSettings(), .yuyv, matrix: .bt601).color == limited)
    #expect(try plan(RecordingSettings(), .p010, matrix: .bt2020).color.matrix == .bt2020)
    let prores = try plan(RecordingSettings(codec: .prores), .nv12)
    #expect(prores.sampling == .s422 && prores.isWide)
  }

  /// A picture that must be cropped or brightened from the start cannot be copied from the camera.
  @Test func whatTheCameraLeavesToUsIsNotCopied() throws {
    #expect(try plan(RecordingSettings(), .mjpeg, isLeftToOutputs: true).way == .encoded(by: "libx264"))
    #expect(try plan(RecordingSettings(codec: .mjpeg), .mjpeg, isLeftToOutputs: true).way == .jpeg)
  }

  @Test func tenBitsAreKeptWhereTheEncoderTakesThem() throws {
    let encoders: Set<String> = ["libx264", "libx265", "ffv1"]
    for (codec, format, sampling) in [
      (RecordingCodec.hevc, PixelFormat.p010, PlaneConverter.Sampling.s420), (.hevc, .y210, .s422),
      (.ffv1, .p010, .s420), (.ffv1, .y210, .s422),
    ] {
      let wide = try plan(RecordingSettings(codec: codec), format, encoders: encoders)
      #expect(wide.isWide && wide.sampling == sampling)
      let narrow = try plan(RecordingSettings(codec: codec), format, encoders: encoders, takesAll: false)
      #expect(!narrow.isWide && narrow.sampling == .s420)
    }
    let h264 = try plan(RecordingSettings(codec: .h264), .p010, encoders: encoders)
    #expect(!h264.isWide && h264.sampling == .s420)
    #expect(try !plan(RecordingSettings(codec: .hevc), .nv12, encoders: encoders).isWide)
    #expect(try plan(RecordingSettings(codec: .ffv1), .yuyv, encoders: encoders).sampling == .s422)
  }

  /// The display matrix maps the picture's corners to the corners of the upright picture, whose top left is (0, 0).
  @Test(arguments: Orientation.allCases) func theDisplayMatrixPutsCornersWhereTheyBelong(
    _ orientation: Orientation
  ) {
    let size = PixelSize(width: 640, height: 480)
    let matrix = orientation.displayMatrix(size)
    func moved(_ x: Int, _ y: Int) -> [Int] {
      let unit = 1 << 16
      return [
        (Int(matrix[0]) * x + Int(matrix[3]) * y + Int(matrix[6])) / unit,
        (Int(matrix[1]) * x + Int(matrix[4]) * y + Int(matrix[7])) / unit,
      ]
    }
    // The expected positions of the top corners follow from an orientation's definition: first mirrored, then rotated.
    let upright = orientation.applied(to: size)
    let first = orientation.isMirrored ? [size.width, 0] : [0, 0]
    let corners: [Rotation: [Int]] = [
      .none: [0, 0], .clockwise90: [upright.width, 0], .half: [upright.width, upright.height],
      .clockwise270: [0, upright.height],
    ]
    #expect(moved(first[0], first[1]) == corners[orientation.rotation])
    let all = [moved(0, 0), moved(size.width, 0), moved(0, size.height), moved(size.width, size.height)]
    #expect(all.map { $0[0] }.min() == 0 && all.map { $0[0] }.max() == upright.width)
    #expect(all.map { $0[1] }.min() == 0 && all.map { $0[1] }.max() == upright.height)
    #expect(Orientation(displayMatrix: matrix) == orientation)
  }

  @Test func aMatrixThatIsNoQuarterTurnIsNoOrientation() {
    var matrix = Orientation.upright.displayMatrix(PixelSize(width: 2, height: 2))
    matrix[1] = 30_000
    #expect(Orientation(displayMatrix: matrix) == nil && Orientation(displayMatrix: []) == nil)
  }

  @Test func thePathSaysWhatIsRecorded() throws {
    #expect(try RecordingTarget("a/film.MP4") == .movie(container: "mp4"))
    #expect(try RecordingTarget("film.mov") == .movie(container: "mov"))
    #expect(try RecordingTarget("Corpus/shelf") == .folder)
    let matroska = #expect(throws: RecordingError.self) { try RecordingTarget("film.mkv") }
    #expect(matroska?.code == .settings)
    for path in ["shelf.jpg", "a/shelf.JPEG", "shelf.png/"] {
      let picture = #expect(throws: RecordingError.self) { try RecordingTarget(path) }
      #expect(picture?.code == .settings && picture?.reason.hasSuffix("holds one picture") == true)
    }
    #expect(
      try RecordingTarget("film.mp4/") == .movie(container: "mp4"), "and cannot be made: it is no folder")
    for path in ["", "a\0.mp4"] {
      let refused = #expect(throws: RecordingError.self) { try RecordingTarget(path) }
      #expect(refused?.code == .destination)
    }
  }
}
