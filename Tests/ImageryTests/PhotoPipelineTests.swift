import Foundation
import Imagery
import Testing

@Suite struct PhotoPipelineTests {
  /// Returns four quadrants that no rotation or mirroring maps onto one another.
  static func quadrants(_ format: PixelFormat, _ width: Int, _ height: Int, _ color: ColorDescription) throws
    -> PixelBuffer
  {
    let values: [UInt8] = [40, 90, 150, 210]
    let (wide, luma) = (Pictures.isWide(format), Pictures.luma(format))
    let isRGB = luma.step >= 3
    return try Pictures.raw(format, width, height, color) { plane, x, y in
      // In a wide sample, the second byte is the high one.
      guard !wide || x % 2 == 1 else { return 0 }
      let sample = wide ? x / 2 : x
      guard plane == 0, isRGB || sample % luma.step == luma.first else { return 128 }
      return values[(sample / luma.step < width / 2 ? 0 : 1) + (y < height / 2 ? 0 : 2)]
    }
  }

  /// Decodes a stored photo and applies its EXIF orientation, independently of the photo pipeline.
  static func displayed(_ photo: Photo) throws -> PixelBuffer {
    let (image, orientation, notes) = try ImageFile.read(photo.bytes)
    #expect(notes.isEmpty)
    let upright = orientation.applied(to: image.format.size)
    let surface = try Pictures.surface(upright.width, upright.height)
    try PreviewRenderer().render(image, orientation: orientation, into: surface)
    return surface
  }

  /// ROT-2: all eight orientations, baked and tagged, as JPEG and PNG, checked on pixels.
  @Test(arguments: Orientation.allCases, PhotoSettings.OrientationMode.allCases)
  func isUprightForItsReader(orientation: Orientation, mode: PhotoSettings.OrientationMode) throws {
    let image = try Self.quadrants(.nv12, 320, 200, .jpeg)
    for container in PhotoSettings.Container.allCases {
      let settings = PhotoSettings(longSide: 160, orientationMode: mode, container: container)
      let photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      let upright = orientation.applied(to: PixelSize(width: 160, height: 100))
      #expect(photo.size == upright)
      #expect(photo.storedSize == (mode == .baked ? upright : PixelSize(width: 160, height: 100)))
      #expect(photo.exifOrientation == (mode == .baked ? 1 : orientation.exif))
      let shown = try Self.displayed(photo)
      #expect(shown.format.size == upright)
      for (x, y) in [(80, 50), (240, 50), (80, 150), (240, 150)] {
        let place = Reference.place(x / 2, y / 2, PixelSize(width: 160, height: 100), orientation)
        let want = [40, 90, 150, 210][(x < 160 ? 0 : 1) + (y < 100 ? 0 : 2)]
        #expect(abs(Pictures.rgb(shown, place.x, place.y)[1] - want) <= 3)
      }
    }
  }

  @Test(arguments: PixelFormat.allCases.filter { $0 != .mjpeg })
  func everyFormatBecomesAPhoto(format: PixelFormat) throws {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    let image = try Self.quadrants(format, 300, 200, color)
    let photo = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(longSide: 150))
    let shown = try Self.displayed(photo)
    for (x, y) in [(70, 40), (220, 40), (70, 160), (220, 160)] {
      let (want, have) = (Reference.rgb(image, x, y), Pictures.rgb(shown, x / 2, y / 2))
      for (want, have) in zip(want, have) { #expect(abs(want - Double(have)) <= 3, "\(format)") }
    }
  }

  /// A BT.709 or BT.2020 camera frame keeps its colours in a JPEG, which is BT.601 full by definition.
  @Test(arguments: PreviewRendererTests.colors) func coloursSurvive(color: ColorDescription) throws {
    for (y, u, v) in [(120, 90, 170), (90, 160, 100), (150, 128, 128), (100, 150, 150)] {
      let image = try Pictures.raw(.nv12, 64, 64, color) { plane, x, _ in
        UInt8(plane == 0 ? y : x % 2 == 0 ? u : v)
      }
      var settings = PhotoSettings(longSide: nil)
      settings.quality = 98
      let photo = try PhotoPipeline().process(image, orientation: .upright, settings: settings)
      let (want, have) = (Reference.rgb(image, 30, 30), Pictures.rgb(try Self.displayed(photo), 30, 30))
      for (want, have) in zip(want, have) {
        #expect(abs(want - Double(have)) <= 3, "\(color) \(y) \(u) \(v)")
      }
    }
  }

  @Test(arguments: [
    (4000, 3000, 1024, 1024, 768), (3000, 4000, 1024, 768, 1024), (640, 480, 1024, 640, 480),
    (1000, 333, 1024, 1000, 333), (5000, 3333, 1024, 1024, 683), (4000, 2, 1024, 1024, 1),
    (1025, 1, 1024, 1024, 1),
  ])
  func sizesKeepShapeAndNeverGrow(width: Int, height: Int, limit: Int, toWidth: Int, toHeight: Int) throws {
    let settings = PhotoSettings(longSide: limit)
    let size = try settings.targetSize(for: PixelSize(width: width, height: height))
    #expect(size == PixelSize(width: toWidth, height: toHeight))
  }

  @Test func nothingExceedsTheCeiling() throws {
    let full = PhotoSettings(longSide: nil)
    #expect(
      try full.targetSize(for: PixelSize(width: 4000, height: 3000)) == PixelSize(width: 1920, height: 1440))
    #expect(
      try PhotoSettings(longSide: 5000).targetSize(for: PixelSize(width: 4000, height: 3000)).longSide == 1920
    )
  }

  @Test(arguments: [(1, 1), (1, 7), (3, 2), (17, 5), (33, 1), (2, 64)])
  func tinyAndOddPicturesWork(width: Int, height: Int) throws {
    for format in [PixelFormat.nv12, .i422, .i444, .yuyv, .grey, .bgra] {
      let image = try Self.quadrants(format, width, height, .jpeg)
      for orientation in Orientation.allCases {
        let photo = try PhotoPipeline().process(
          image, orientation: orientation, settings: PhotoSettings(longSide: 9))
        #expect(try Self.displayed(photo).format.size == photo.size)
        #expect(photo.size.longSide == min(9, max(width, height)))
      }
    }
  }

  /// IMG-3: noise hardly compresses. The pipeline reduces the quality only while SSIM stays at 0.95 or more, and then the size.
  @Test func byteLimitHolds() throws {
    let noise = try Pictures.raw(.grey, 400, 300, .jpeg, Pictures.noise)
    var settings = PhotoSettings(maximumBytes: nil)
    let free = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    #expect(free.quality == 85 && free.size == noise.format.size)
    settings.maximumBytes = free.bytes.count * 9 / 10
    let tight = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    #expect(tight.bytes.count <= free.bytes.count * 9 / 10 && tight.quality < 85)
    #expect(tight.size == noise.format.size)
    settings.maximumBytes = free.bytes.count / 10
    let small = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    #expect(small.bytes.count <= free.bytes.count / 10 && small.size.longSide < 400)
    settings.maximumBytes = 10
    #expect(throws: ImageError.budgetUnattainable(budget: "10 bytes")) {
      try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    }
  }

  @Test func tokenBudgetChoosesTheSize() throws {
    let profile = try #require(TokenProfile.named("seed"))
    let settings = PhotoSettings(tokenBudget: .init(profile: profile, maxTokens: 516))
    let size = try settings.targetSize(for: PixelSize(width: 4000, height: 3000))
    #expect(profile.tokens(for: size) <= 516 && size == PixelSize(width: 1024, height: 768))
    let none = PhotoSettings(tokenBudget: .init(profile: profile, maxTokens: 100))
    #expect(throws: ImageError.self) { try none.targetSize(for: PixelSize(width: 4000, height: 3000)) }
  }

  /// By Gemini's rule a picture of 600×450 costs less than most smaller ones. A photo that becomes smaller for its bytes stays within
  /// the tokens, too.
  @Test func aByteLimitKeepsToTheTokens() throws {
    let profile = try #require(TokenProfile.named("gemini-2"))
    let noise = try Pictures.raw(.grey, 600, 450, .jpeg, Pictures.noise)
    var settings = PhotoSettings(
      longSide: nil, tokenBudget: .init(profile: profile, maxTokens: 1032), maximumBytes: nil)
    let free = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    #expect(free.size == noise.format.size && profile.tokens(for: free.size) == 1032)
    for twentieths in 6...16 {
      settings.maximumBytes = free.bytes.count * twentieths / 20
      let photo = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
      #expect(photo.bytes.count <= free.bytes.count * twentieths / 20)
      #expect(profile.tokens(for: photo.size) <= 1032, "\(photo.size)")
    }
    (settings.tokenCeiling, settings.tokenBudget) = (settings.tokenBudget, nil)
    settings.maximumBytes = free.bytes.count / 2
    let photo = try PhotoPipeline().process(noise, orientation: .upright, settings: settings)
    #expect(profile.tokens(for: photo.size) <= 1032)
  }

  /// A reused pipeline gives the same photos as a new one.
  @Test func reuseChangesNothing() throws {
    let pipeline = PhotoPipeline()
    let images = try [(PixelFormat.nv12, 320, 240), (.bgra, 90, 50), (.yuyv, 500, 300), (.nv12, 64, 48)].map {
      try Pictures.raw($0.0, $0.1, $0.2, .jpeg, Pictures.noise)
    }
    for image in images + images {
      let orientation = Orientation(rotation: .clockwise270)
      let settings = PhotoSettings(longSide: 100)
      let fresh = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
      #expect(try pipeline.process(image, orientation: orientation, settings: settings).bytes == fresh.bytes)
    }
  }
}
