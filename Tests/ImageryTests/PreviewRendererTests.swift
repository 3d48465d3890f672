import Imagery
import Testing

@Suite struct PreviewRendererTests {
  static let colors = ColorMatrix.allCases.flatMap { matrix in
    ColorRange.allCases.map { ColorDescription(matrix: matrix, range: $0) }
  }
  static let formats = PixelFormat.allCases.filter { $0 != .mjpeg }

  /// PRV-3: without scaling, every shown code of every format is within 1/255 of the exact conversion, rounded.
  @Test(arguments: formats, colors) func isExactUpright(format: PixelFormat, color: ColorDescription) throws {
    try check(format, 64, 34, color, .upright, .bgra)
  }

  /// ROT-2: the precision is the same in all eight orientations, at odd sizes too and across tile borders.
  @Test(arguments: formats, Orientation.allCases)
  func isExactTurned(format: PixelFormat, orientation: Orientation) throws {
    let color = ColorDescription(matrix: .bt709, range: .limited)
    try check(format, 40, 142, color, orientation, .rgba)
    try check(format, 35, 69, color, orientation, .bgra)
  }

  @Test(arguments: PixelFormat.allCases.filter { $0 != .mjpeg })
  func extremesAreExact(format: PixelFormat) throws {
    for color in Self.colors {
      let image = try Pictures.raw(format, 48, 48, color) { plane, x, y in
        [0, 16, 128, 235, 240, 255][Int(Pictures.noise(plane, x, y)) % 6]
      }
      try compare(image, .upright, .rgba)
    }
  }

  /// On a surface of limited range, white is 235.
  @Test(arguments: formats, ColorRange.allCases) func theSurfacesRangeIsKept(
    format: PixelFormat, range: ColorRange
  ) throws {
    let image = try Pictures.raw(
      format, 64, 34, ColorDescription(matrix: .bt709, range: range), Pictures.noise)
    let limited = ColorDescription(matrix: .bt709, range: .limited)
    let surface = try Pictures.raw(.bgra, 64, 34, limited) { _, _, _ in 7 }
    try PreviewRenderer().render(image, orientation: .upright, into: surface)
    for (x, y) in [(0, 0), (31, 17), (63, 33)] {
      for (want, have) in zip(Reference.rgb(image, x, y), Pictures.rgb(surface, x, y)) {
        #expect(abs(want * 219 / 255 + 16 - Double(have)) <= 1.5)
      }
    }
  }

  private func check(
    _ format: PixelFormat, _ width: Int, _ height: Int, _ color: ColorDescription, _ orientation: Orientation,
    _ surface: PixelFormat
  ) throws {
    try compare(try Pictures.raw(format, width, height, color, Pictures.noise), orientation, surface)
  }

  private func compare(_ image: PixelBuffer, _ orientation: Orientation, _ format: PixelFormat) throws {
    let size = image.format.size
    let upright = orientation.applied(to: size)
    let surface = try Pictures.surface(upright.width, upright.height, format)
    try PreviewRenderer().render(image, orientation: orientation, into: surface)
    var worst = 0.0
    for y in 0..<size.height {
      for x in 0..<size.width {
        let place = Reference.place(x, y, size, orientation)
        let (want, have) = (Reference.rgb(image, x, y), Pictures.rgb(surface, place.x, place.y))
        for (want, have) in zip(want, have) { worst = max(worst, abs(want.rounded() - Double(have))) }
      }
    }
    #expect(worst <= 1)
  }

  /// The renderer draws with the geometry of `AspectFill`: the centre of a soft spot appears at the computed position.
  @Test(arguments: Orientation.allCases, [1.0, 1.7, 4.0])
  func aspectFillTellsWherePixelsLand(orientation: Orientation, zoom: Double) throws {
    let (source, surfaceSize) = (PixelSize(width: 320, height: 180), PixelSize(width: 90, height: 130))
    for format in [PixelFormat.nv12, .yuyv, .bgra] {
      let spot = (x: 166.0, y: 84.0)
      let bytes = format == .bgra ? 4 : format == .yuyv ? 2 : 1
      let image = try Pictures.raw(format, source.width, source.height) { plane, x, y in
        if plane > 0 || (format == .yuyv && x % 2 == 1) { return 128 }
        let dx = Double(x / bytes) + 0.5 - spot.x
        let dy = Double(y) + 0.5 - spot.y
        let height: Double = max(0, 1 - (dx * dx + dy * dy) / 64)
        return UInt8(16 + 200 * height)
      }
      let surface = try Pictures.surface(surfaceSize.width, surfaceSize.height)
      try PreviewRenderer().render(image, orientation: orientation, zoom: zoom, into: surface)
      let fill = AspectFill(source: source, orientation: orientation, surface: surfaceSize, zoom: zoom)
      let seen = centroid(surface)
      let device = fill.devicePoint(surface: seen)
      #expect(abs(device.x - spot.x) <= 0.5 && abs(device.y - spot.y) <= 0.5, "\(format) \(device)")
    }
  }

  private func centroid(_ surface: PixelBuffer) -> (x: Double, y: Double) {
    var (sum, sumX, sumY) = (0.0, 0.0, 0.0)
    for y in 0..<surface.format.size.height {
      for x in 0..<surface.format.size.width {
        let weight = Double(max(0, Pictures.rgb(surface, x, y)[1] - 30))
        sum += weight
        sumX += weight * (Double(x) + 0.5)
        sumY += weight * (Double(y) + 0.5)
      }
    }
    return (sumX / sum, sumY / sum)
  }

  @Test func mjpegDecodedSmallLandsWhereItShould() throws {
    let image = try Pictures.raw(.i420, 640, 480, .jpeg) { plane, x, y in
      plane > 0 ? 128 : x < 320 ? (y < 240 ? 250 : 160) : (y < 240 ? 80 : 5)
    }
    var settings = PhotoSettings(longSide: nil)
    settings.quality = 95
    let photo = try PhotoPipeline().process(image, orientation: .upright, settings: settings)
    let frame = try Pictures.jpeg(photo.bytes, photo.size)
    let surface = try Pictures.surface(120, 160)
    try PreviewRenderer().render(
      frame, orientation: Orientation(rotation: .clockwise90), into: surface)
    // After a clockwise rotation, the stored left column is the shown top row, and the stored bottom row is the shown left column.
    let want = [[160, 250], [5, 80]]
    for (row, values) in want.enumerated() {
      for (column, value) in values.enumerated() {
        let have = Pictures.rgb(surface, 30 + column * 60, 40 + row * 80)[0]
        #expect(abs(have - value) <= 3)
      }
    }
  }

  @Test func refusesOtherSurfaces() throws {
    let image = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    #expect(throws: ImageError.self) {
      try PreviewRenderer().render(image, orientation: .upright, into: image)
    }
  }

  @Test func refusesShortFrames() throws {
    let whole = try Pictures.raw(.nv12, 16, 16, .jpeg, Pictures.noise)
    let short = PixelBuffer(format: whole.format, planes: [whole.planes[0]], lender: nil)
    let surface = try Pictures.surface(16, 16)
    #expect(throws: ImageError.truncated(format: "NV12", have: 1024, needed: 384)) {
      try PreviewRenderer().render(short, orientation: .upright, into: surface)
    }
  }
  /// Planes of 16-bit words at odd addresses are refused, because no code reads them.
  @Test(arguments: [PixelFormat.p010, .y210]) func wordsInRowsOfOddLengthAreRefused(format: PixelFormat)
    throws
  {
    let image = try Pictures.raw(
      format, 16, 8, ColorDescription(matrix: .bt709, range: .limited), Pictures.noise)
    let planes = image.planes.map { Plane(base: $0.base, bytesPerRow: $0.bytesPerRow - 1, height: $0.height) }
    let odd = PixelBuffer(format: image.format, planes: planes, lender: nil)
    let error = ImageError.unsupported(
      what: "16-bit samples in rows of an odd number of bytes", remedy: "use another format")
    #expect(throws: error) {
      try PreviewRenderer().render(odd, orientation: .upright, into: try Pictures.surface(16, 8))
    }
    withExtendedLifetime(image) {}
  }
}
