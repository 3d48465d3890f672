import Imagery
import Testing

/// The look on each path of a picture: to the surface, into a photo, and into a recording.
@Suite struct LookPathTests {
  static let formats = PixelFormat.allCases.filter { $0 != .mjpeg }
  static let color = ColorDescription(matrix: .bt709, range: .limited)

  /// Row 53: the shown colour is the converted colour looked up in the table, within 1/255. For 10-bit pictures, the table is
  /// applied before the reduction to 8 bits.
  @Test(arguments: formats, [Orientation.upright, Orientation(rotation: .clockwise90)])
  func thePreviewShowsTheLook(format: PixelFormat, orientation: Orientation) throws {
    let cube = Cube.smooth(17)
    let image = try Pictures.raw(format, 40, 26, Self.color, Pictures.noise)
    let size = orientation.applied(to: image.format.size)
    let (plain, looked) = (
      try Pictures.surface(size.width, size.height), try Pictures.surface(size.width, size.height)
    )
    let renderer = PreviewRenderer()
    try renderer.render(image, orientation: orientation, into: plain)
    renderer.look = try cube.look()
    try renderer.render(image, orientation: orientation, into: looked)
    for y in 0..<26 {
      for x in 0..<40 {
        let place = Reference.place(x, y, image.format.size, orientation)
        let before =
          Pictures.isWide(format)
          ? Reference.rgb(image, x, y) : Pictures.rgb(plain, place.x, place.y).map(Double.init)
        for (want, have) in zip(cube.codes(before), Pictures.rgb(looked, place.x, place.y)) {
          #expect(abs(want - Double(have)) <= 1, "\(format)")
        }
      }
    }
  }

  /// After the look is removed, the next picture is as before, bit for bit.
  @Test(arguments: [PixelFormat.nv12, .bgra, .p010]) func theBypassIsExact(format: PixelFormat) throws {
    let image = try Pictures.raw(format, 40, 26, Self.color, Pictures.noise)
    let (first, last) = (try Pictures.surface(40, 26), try Pictures.surface(40, 26))
    let renderer = PreviewRenderer()
    try renderer.render(image, orientation: .upright, into: first)
    renderer.look = try Cube.smooth(5).look()
    try renderer.render(image, orientation: .upright, into: last)
    #expect(pixels(first) != pixels(last))
    renderer.look = nil
    try renderer.render(image, orientation: .upright, into: last)
    #expect(pixels(first) == pixels(last))
  }

  /// Returns the rows of pixels without padding.
  private func pixels(_ image: PixelBuffer) -> [[UInt8]] {
    (0..<image.format.size.height).map { row in
      Array(
        image.planes[0].bytes.dropFirst(row * image.planes[0].bytesPerRow).prefix(image.format.size.width * 4)
      )
    }
  }

  /// The curve is so steep that steps of 8 bits would show. Steps of 10 bits are a quarter as large.
  @Test(arguments: [PixelFormat.p010, .y210]) func tenBitsMeetTheTableWhole(format: PixelFormat) throws {
    let steep = Cube(33) { r, g, b in [r, g, b].map { min(max(($0 - 0.4) * 8, 0), 1) } }
    let image = try Pictures.raw(format, 64, 8, Self.color) { plane, x, _ in
      let isLuma = plane == 0 && (format == .p010 || x / 2 % 2 == 0)
      let code = isLuma ? 400 + x / (format == .p010 ? 2 : 4) : 512
      return UInt8(truncatingIfNeeded: (code << 6) >> (x % 2 * 8))
    }
    let surface = try Pictures.surface(64, 8)
    let renderer = PreviewRenderer()
    renderer.look = try steep.look()
    try renderer.render(image, orientation: .upright, into: surface)
    for x in 0..<64 {
      let want = steep.codes(Reference.rgb(image, x, 4))
      // The curve multiplies by 8, so rounding by a quarter of an 8-bit code becomes an error of two codes.
      for (want, have) in zip(want, Pictures.rgb(surface, x, 4)) { #expect(abs(want - Double(have)) <= 2) }
    }
  }

  /// One EV multiplies every code by 2^(1/2.2), before the look.
  @Test(arguments: [PixelFormat.nv12, .rgba, .p010], [false, true])
  func thePreviewIsMadeBrighter(format: PixelFormat, hasLook: Bool) throws {
    let image = try PhotoPipelineTests.quadrants(format, 64, 48, .jpeg)
    let cube = Cube.smooth(9)
    let surface = try Pictures.surface(64, 48)
    let renderer = PreviewRenderer()
    renderer.look = hasLook ? try cube.look() : nil
    for (bias, gain) in [(1.0, 1.3703), (-1, 0.7298), (0, 1), (9, 3.5270)] {
      renderer.exposureBias = bias
      try renderer.render(image, orientation: .upright, into: surface)
      for (x, y) in [(10, 10), (50, 10), (10, 40), (50, 40)] {
        let bright = Reference.rgb(image, x, y).map { min($0 * gain, 255) }
        let want = hasLook ? cube.codes(bright) : bright
        for (want, have) in zip(want, Pictures.rgb(surface, x, y)) {
          #expect(abs(want - Double(have)) <= 6, "\(format) \(bias)")
        }
      }
    }
  }

  /// A photo is as bright as the preview, even in strong colours, whose channels clip at different values.
  @Test(arguments: [PixelFormat.rgba, .nv12, .grey], [-2.0, 1, 2])
  func aPhotoIsAsBrightAsThePreview(format: PixelFormat, bias: Double) throws {
    let image = try Pictures.raw(format, 64, 48, .jpeg) { plane, x, _ in
      switch format {
      case .rgba: [250, 40, 20, 255][x % 4]
      case .nv12: plane == 0 ? 120 : [70, 220][x % 2]
      default: 120
      }
    }
    let surface = try Pictures.surface(64, 48)
    let renderer = PreviewRenderer()
    renderer.exposureBias = bias
    try renderer.render(image, orientation: .upright, into: surface)
    for container in PhotoSettings.Container.allCases {
      let settings = PhotoSettings(
        longSide: nil, quality: 98, container: container, priority: .quality, exposureBias: bias)
      let photo = try PhotoPipelineTests.displayed(
        try PhotoPipeline().process(image, orientation: .upright, settings: settings))
      for (want, have) in zip(Pictures.rgb(surface, 30, 20), Pictures.rgb(photo, 30, 20)) {
        #expect(abs(want - have) <= 5, "\(format) \(container) \(bias)")
      }
    }
  }

  @Test(arguments: [PixelFormat.nv12, .bgra, .p010, .grey], PhotoSettings.Container.allCases)
  func aPhotoHasTheLook(format: PixelFormat, container: PhotoSettings.Container) throws {
    let cube = Cube.smooth(17)
    let image = try PhotoPipelineTests.quadrants(format, 300, 200, Self.color)
    var settings = PhotoSettings(longSide: 150, quality: 95, container: container, look: try cube.look())
    settings.maximumBytes = nil
    let shown = try PhotoPipelineTests.displayed(
      try PhotoPipeline().process(image, orientation: .upright, settings: settings))
    for (x, y) in [(70, 40), (220, 40), (70, 160), (220, 160)] {
      let want = cube.codes(Reference.rgb(image, x, y))
      for (want, have) in zip(want, Pictures.rgb(shown, x / 2, y / 2)) {
        #expect(abs(want - Double(have)) <= 4, "\(format) \(container)")
      }
    }
  }

  @Test(arguments: [PixelFormat.nv12, .i420, .bgra, .rgba, .p010, .y210])
  func aRecordedFrameHasTheLook(format: PixelFormat) throws {
    let cube = Cube.smooth(17)
    let converter = LookConverter(pool: PixelBufferPool())
    for source in [PixelFormat.nv12, .bgra, .p010, .y210, .uyvy] {
      let image = try Pictures.raw(source, 34, 18, Self.color) { plane, _, _ in plane == 0 ? 120 : 140 }
      let before = copy(image)
      let result = try converter.convert(image, with: try cube.look(), to: format, color: Self.color)
      #expect(
        result !== image && result.format.pixelFormat == format && result.format.size == image.format.size)
      #expect(copy(image) == before, "the frame itself was changed")
      let (want, have) = (cube.codes(Reference.rgb(image, 16, 8)), Reference.rgb(result, 16, 8))
      for (want, have) in zip(want, have) { #expect(abs(want - have) <= 3, "\(source) → \(format)") }
    }
  }

  private func copy(_ image: PixelBuffer) -> [[UInt8]] { image.planes.map { Array($0.bytes) } }

  /// At 10 bits, a look that changes nothing changes luma by at most 2 codes and chroma by at most 6, of 1023.
  @Test(arguments: [PixelFormat.p010, .y210], [PixelFormat.p010, .y210])
  func tenBitsStayTenBits(from: PixelFormat, to: PixelFormat) throws {
    for range in ColorRange.allCases {
      let color = ColorDescription(matrix: .bt2020, range: range)
      let image = try Pictures.raw(from, 64, 6, color) { plane, x, _ in
        let sample = x / 2
        let isLuma = plane == 0 && (from == .p010 || sample % 2 == 0)
        let code = isLuma ? 300 + sample * 5 / (from == .p010 ? 1 : 2) : 500 + sample / 8 * 8 % 24
        return UInt8(truncatingIfNeeded: (code << 6) >> (x % 2 * 8))
      }
      let result = try LookConverter(pool: PixelBufferPool()).convert(
        image, with: try Cube.identity(33).look(), to: to, color: color)
      for (x, y) in [(4, 2), (21, 3), (50, 4)] {
        let (want, have) = (Reference.codes(image, x, y), Reference.codes(result, x, y))
        #expect(abs(want.y - have.y) <= 2 && abs(want.u - have.u) <= 6 && abs(want.v - have.v) <= 6)
      }
    }
  }

  @Test func aCompressedResultIsRefused() throws {
    let image = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    #expect(throws: ImageError.self) {
      try LookConverter(pool: PixelBufferPool()).convert(
        image, with: try Cube.identity(2).look(), to: .mjpeg, color: .jpeg)
    }
  }
}
