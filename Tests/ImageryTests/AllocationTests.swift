import AllocationCount
import Imagery
import System
import Testing

/// Checks that the preview allocates nothing per picture after the first few. Allocations of libyuv and libjpeg-turbo are counted
/// separately: a row or two for a scaled picture, and a decoder for each compressed picture.
@Suite(.enabled(if: allocation_count() >= 0, "a sanitizer has an allocator of its own"))
struct AllocationTests {
  static let turned = [
    Orientation.upright, Orientation(rotation: .clockwise90), Orientation(rotation: .half, isMirrored: true),
  ]

  /// Returns the allocations of ten pictures, which follow three uncounted ones.
  private func allocations(
    _ image: PixelBuffer, _ orientation: Orientation = .upright, on size: PixelSize? = nil, zoom: Double = 1,
    with renderer: PreviewRenderer = PreviewRenderer()
  ) throws -> (own: Int64, libraries: Int64) {
    let size = size ?? orientation.applied(to: image.format.size)
    let surface = try Pictures.surface(size.width, size.height, .bgra)
    for _ in 0..<3 { try renderer.render(image, orientation: orientation, zoom: zoom, into: surface) }
    let (own, libraries) = (allocation_count(), allocation_count_of_libraries())
    for _ in 0..<10 { try renderer.render(image, orientation: orientation, zoom: zoom, into: surface) }
    return (allocation_count() - own, allocation_count_of_libraries() - libraries)
  }

  private func picture(
    _ format: PixelFormat, _ color: ColorDescription = ColorDescription(matrix: .bt709, range: .limited),
    width: Int = 128, height: Int = 97
  ) throws -> PixelBuffer {
    try Pictures.raw(format, width, height, color, Pictures.noise)
  }

  @Test(arguments: PreviewRendererTests.formats, turned)
  func aPictureTakesNoMemoryOfItsOwn(format: PixelFormat, orientation: Orientation) throws {
    for color in [
      ColorDescription(matrix: .bt709, range: .limited), ColorDescription(matrix: .bt2020, range: .full),
    ] {
      let taken = try allocations(try picture(format, color), orientation)
      #expect(taken == (0, 0), "\(format) \(color)")
    }
  }

  /// The surface is larger or smaller than the frame, and the picture is zoomed.
  @Test(arguments: PreviewRendererTests.formats, [(31, 50), (300, 200)])
  func aScaledPictureTakesNoneEither(format: PixelFormat, side: (Int, Int)) throws {
    let size = PixelSize(width: side.0, height: side.1)
    let taken = try allocations(
      try picture(format), Orientation(rotation: .clockwise90), on: size, zoom: 1.3)
    #expect(taken.own == 0, "\(format)")
  }

  @Test(arguments: [1, 4]) func aCompressedPictureTakesADecodersMemoryAlone(reduction: Int) throws {
    let raw = try Pictures.raw(.i420, 256, 192, .jpeg) { plane, x, y in UInt8((x + y * (plane + 1)) % 200) }
    for priority in PhotoPriority.allCases {
      let photo = try PhotoPipeline().process(
        raw, orientation: .upright, settings: PhotoSettings(longSide: nil, priority: priority))
      let size = PixelSize(width: 192 / reduction, height: 256 / reduction)
      let taken = try allocations(
        try Pictures.jpeg(photo.bytes, photo.size), Orientation(rotation: .clockwise90), on: size)
      #expect(taken.own == 0 && taken.libraries > 0, "\(priority)")
    }
  }

  /// With a look on two threads, and with an exposure bias, the calling thread allocates nothing.
  @Test(arguments: [PixelFormat.nv12, .p010, .bgra]) func looksAndLightTakeNone(format: PixelFormat) throws {
    let renderer = PreviewRenderer()
    renderer.look = try Cube.smooth(9).look()
    #expect(try allocations(picture(format, width: 640, height: 400), with: renderer) == (0, 0))
    renderer.exposureBias = 1
    #expect(try allocations(picture(format, width: 640, height: 400), with: renderer) == (0, 0))
  }

  @Test(arguments: DeinterlacerTests.formats) func interlacedPicturesTakeNone(format: PixelFormat) throws {
    let image = try picture(format)
    let combed = PixelBuffer(format: image.format, planes: image.planes, lender: nil, isInterlaced: true)
    let taken = try allocations(combed)
    #expect(taken == (0, 0))
    withExtendedLifetime(image) {}
  }

  /// Each buffer from a pool takes one allocation: the object that returns its memory to the pool.
  @Test func aBufferOfAPoolTakesOneObject() throws {
    let pool = PixelBufferPool()
    for format in PreviewRendererTests.formats {
      let format = ImageFormat(pixelFormat: format, size: PixelSize(width: 64, height: 48), color: .jpeg)
      for _ in 0..<3 { _ = try pool.makeBuffer(format) }
      let before = allocation_count()
      for _ in 0..<10 { _ = try pool.makeBuffer(format) }
      let taken = allocation_count() - before
      #expect(taken == 10)
    }
  }

  /// A pool keeps eight released buffers. It returns the memory of further ones to the system.
  @Test func aPoolKeepsABoundedNumber() throws {
    let (pool, size) = (PixelBufferPool(), PixelSize(width: 64, height: 48))
    let format = ImageFormat(pixelFormat: .nv12, size: size, color: .jpeg)
    var held: [PixelBuffer] = []
    held.reserveCapacity(12)
    for _ in 0..<12 { held.append(try pool.makeBuffer(format)) }
    held.removeAll(keepingCapacity: true)
    var taken: [Int64] = []
    taken.reserveCapacity(12)
    for _ in 0..<12 {
      let before = allocation_count()
      held.append(try pool.makeBuffer(format))
      taken.append(allocation_count() - before)
    }
    #expect(taken.prefix(8).allSatisfy { $0 == 1 } && taken.dropFirst(8).allSatisfy { $0 > 1 }, "\(taken)")
  }

  /// Checks that the counter counts, and that it can pause.
  @Test func whatIsTakenIsCounted() {
    // Drawing a random number allocates in an unoptimised build.
    let number = Int.random(in: 0...1)
    let before = allocation_count()
    let array = [Int](repeating: number, count: 100)
    let one = allocation_count() - before
    allocation_count_pause()
    let other = [Int](repeating: array[0], count: 200)
    allocation_count_resume()
    let both = allocation_count() - before
    #expect(one == 1 && both == 1, "\(one) \(both)")
    #expect(array.count + other.count == 300)
  }
}
