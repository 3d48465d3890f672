import Glibc
import Imagery
import Testing

@testable import BookScan

/// A spine drawn at any angle. Its text is red at the start and blue at the end, bright at the top and dark at the foot.
private struct DrawnSpine {
  let region: TextRegion
  let size: PixelSize

  init(
    angle: Double, length: Double = 200, height: Double = 40,
    in size: PixelSize = .init(width: 400, height: 300)
  ) {
    self.size = size
    let center = Point(x: Double(size.width) / 2, y: Double(size.height) / 2)
    region = TextRegion(center: center, length: length, height: height, angle: angle)
  }

  func photo() throws -> UprightPhoto {
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    for y in 0..<size.height {
      let row = image.planes[0].base.assumingMemoryBound(to: UInt8.self) + y * image.planes[0].bytesPerRow
      for x in 0..<size.width {
        let color = color(Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
        (row[x * 4], row[x * 4 + 1], row[x * 4 + 2], row[x * 4 + 3]) = (
          color.blue, color.green, color.red, 255
        )
      }
    }
    return try UprightPhoto(image, orientation: .upright)
  }

  private func color(_ point: Point) -> (red: UInt8, green: UInt8, blue: UInt8) {
    let offset = point - region.center
    let (along, across) = (offset.dot(region.along), offset.dot(region.down))
    guard abs(along) <= region.length / 2, abs(across) <= region.height / 2 else { return (128, 128, 128) }
    let light: UInt8 = across < 0 ? 240 : 90
    return along < 0 ? (light, 0, 0) : (0, 0, light)
  }
}

@Suite struct SpineCropTests {
  /// Returns the colour of a point in a crop, whose coordinates are shares of width and height.
  private func color(_ crop: SpineCrop, _ x: Double, _ y: Double) throws -> (red: Int, green: Int, blue: Int)
  {
    let picture = try ImageFile.read(crop.jpeg)
    #expect(picture.orientation == .upright)
    let raster = try Raster.upright(picture.image, .upright)
    #expect(raster.width == crop.size.width && raster.height == crop.size.height)
    let pixel = raster.sample(Float(x * Double(raster.width) - 0.5), Float(y * Double(raster.height) - 0.5))
    return (Int(pixel.z), Int(pixel.y), Int(pixel.x))
  }

  @Test(arguments: [0.0, 20, 45, 90, 135, 180, 200, 270, 290, 345])
  func textComesOutUprightAtEveryAngle(_ angle: Double) throws {
    let spine = DrawnSpine(angle: angle)
    let crop = try SpineCrop(try spine.photo(), outline: spine.region.corners)
    // The margin on each side is an eighth of the height of 40 pixels.
    #expect(crop.size == PixelSize(width: 210, height: 50))
    let (start, end) = (try color(crop, 0.2, 0.3), try color(crop, 0.8, 0.3))
    let (startFoot, endFoot) = (try color(crop, 0.2, 0.7), try color(crop, 0.8, 0.7))
    #expect(start.red > 200 && start.blue < 60 && end.blue > 190 && end.red < 60)
    #expect((60...130).contains(startFoot.red) && (60...130).contains(endFoot.blue))
    let margin = try color(crop, 0.5, 0.03)
    #expect(abs(margin.red - 128) < 30 && abs(margin.green - 128) < 30)
  }

  @Test func aLongSpineIsMadeSmallerAndAShortOneStaysAsItIs() throws {
    let long = DrawnSpine(angle: 90, length: 1900, height: 100, in: PixelSize(width: 300, height: 2000))
    let crop = try SpineCrop(try long.photo(), outline: long.region.corners)
    #expect(crop.size.width == SpineCrop.longSide && (35...45).contains(crop.size.height))
    #expect(try color(crop, 0.2, 0.3).red > 200)
    let short = DrawnSpine(angle: 0, length: 16, height: 8)
    #expect(
      try SpineCrop(try short.photo(), outline: short.region.corners).size == PixelSize(width: 18, height: 10)
    )
  }

  @Test func theSameOutlineGivesTheSameBytes() throws {
    let spine = DrawnSpine(angle: 33)
    let photo = try spine.photo()
    let crops = try (0..<2).map { _ in try SpineCrop(photo, outline: spine.region.corners) }
    #expect(crops[0] == crops[1])
  }

  @Test func noiseFitsIntoTheLimit() throws {
    let size = PixelSize(width: 1400, height: 1400)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    var state: UInt64 = 1
    let plane = image.planes[0]
    for index in 0..<plane.byteCount {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      plane.base.storeBytes(of: UInt8(truncatingIfNeeded: state >> 33), toByteOffset: index, as: UInt8.self)
    }
    let photo = try UprightPhoto(image, orientation: .upright)
    let square = TextRegion(center: Point(x: 700, y: 700), length: 500, height: 500, angle: 0)
    let crop = try SpineCrop(photo, outline: square.corners)
    #expect(crop.jpeg.count <= SpineCrop.byteLimit && crop.size.longSide > 100)
  }

  @Test func aSpineAtTheEdgeRepeatsThePhoto() throws {
    let spine = DrawnSpine(angle: 0, length: 400, height: 300)
    let crop = try SpineCrop(try spine.photo(), outline: spine.region.corners)
    #expect(try color(crop, 0.01, 0.2).red > 200)
  }

  @Test func anOutlineThatIsNoneIsRefused() throws {
    let photo = try DrawnSpine(angle: 0).photo()
    let corners = TextRegion(center: Point(x: 100, y: 100), length: 80, height: 20, angle: 0).corners
    let far = corners.map { $0 + Point(x: 500, y: 0) }
    let wrong: [[Point]] = [
      [], Array(corners.dropLast()), corners.reversed(), far, Array(repeating: corners[0], count: 4),
      corners.map { Point(x: $0.x, y: .nan) }, corners.map { Point(x: $0.x * 1e300, y: $0.y) },
      [corners[0], corners[2], corners[1], corners[3]],
    ]
    for outline in wrong { #expect(throws: ScanError.self) { try SpineCrop(photo, outline: outline) } }
  }
}
