import Glibc
import Imagery
import Testing

/// Pictures at the end of mapped memory, where a driver's buffer may lie. Access one byte beyond crashes the process.
@Suite struct MemoryEdgeTests {
  static let sizes = [
    (1, 1), (3, 1), (1, 3), (2, 2), (5, 4), (7, 3), (15, 9), (17, 2), (33, 5), (66, 3), (127, 2),
  ].map { PixelSize(width: $0.0, height: $0.1) }
  static let formats = PixelFormat.allCases.filter { $0 != .mjpeg }
  /// Pairs of the padding after each row, in bytes, and the orientation.
  static let ways: [(Int, Orientation)] =
    [(0, .upright), (0, Orientation(rotation: .clockwise90)), (6, .upright)]
    + Orientation.allCases.map { (14, $0) }
  private static let color = ColorDescription(matrix: .bt709, range: .limited)

  /// Rows have the minimum length or padding; the last row has no padding.
  @Test func thePreviewStaysInItsMemory() async {
    await #expect(processExitsWith: .success) {
      for format in MemoryEdgeTests.formats {
        for size in MemoryEdgeTests.sizes {
          for (padding, orientation) in MemoryEdgeTests.ways {
            let renderer = PreviewRenderer()
            let image = try edged(format, size, padding: padding)
            for shown in [orientation.applied(to: size), PixelSize(width: 9, height: 7)] {
              let surface = try edged(.bgra, shown, padding: padding)
              try renderer.render(image, orientation: orientation, into: surface)
            }
          }
        }
      }
    }
  }

  @Test func photosAndConvertersStayInTheirs() async {
    await #expect(processExitsWith: .success) {
      let (pipeline, pool) = (PhotoPipeline(), PixelBufferPool())
      let (converter, looks) = (ImageConverter(pool: pool), LookConverter(pool: pool))
      let look = try Cube.smooth(3).look()
      for format in MemoryEdgeTests.formats {
        for size in MemoryEdgeTests.sizes {
          for isInterlaced in [false, true] {
            let image = try edged(format, size, padding: 10, isInterlaced: isInterlaced)
            for orientation in [Orientation.upright, Orientation(rotation: .clockwise90)] {
              _ = try pipeline.process(image, orientation: orientation, settings: PhotoSettings())
            }
            for target in [PixelFormat.nv12, .bgra, .y210] {
              _ = try converter.convert(image, to: target, color: .jpeg)
              _ = try looks.convert(image, with: look, to: target, color: .jpeg)
            }
          }
        }
      }
    }
  }

  /// Checks the colours of the smallest and oddest sizes.
  @Test(arguments: formats, Orientation.allCases) func oddSizesAreExact(
    format: PixelFormat, orientation: Orientation
  ) throws {
    for size in Self.sizes {
      let image = try Pictures.raw(format, size.width, size.height, Self.color, Pictures.noise)
      let upright = orientation.applied(to: size)
      let surface = try Pictures.surface(upright.width, upright.height, .bgra)
      try PreviewRenderer().render(image, orientation: orientation, into: surface)
      var worst = 0.0
      for y in 0..<size.height {
        for x in 0..<size.width {
          let place = Reference.place(x, y, size, orientation)
          let (want, have) = (Reference.rgb(image, x, y), Pictures.rgb(surface, place.x, place.y))
          for (want, have) in zip(want, have) { worst = max(worst, abs(want.rounded() - Double(have))) }
        }
      }
      #expect(worst <= 1, "\(format) \(size)")
    }
  }

  /// All readers refuse planes that are too narrow, too short or missing, and name them.
  @Test(arguments: formats) func shortPlanesAreRefused(format: PixelFormat) throws {
    let whole = try Pictures.raw(format, 33, 17, Self.color, Pictures.noise)
    let last = whole.planes.count - 1
    let wrong = try whole.format.planeLayout()
    for index in 0...last {
      let plane = whole.planes[index]
      for cut in [
        Plane(base: plane.base, bytesPerRow: wrong[index].bytesPerRow - 1, height: plane.height),
        Plane(base: plane.base, bytesPerRow: plane.bytesPerRow, height: wrong[index].height - 1),
        Plane(base: plane.base, bytesPerRow: -plane.bytesPerRow, height: plane.height),
      ] {
        var planes = whole.planes
        planes[index] = cut
        try refuses(PixelBuffer(format: whole.format, planes: planes, lender: nil))
      }
    }
    try refuses(PixelBuffer(format: whole.format, planes: Array(whole.planes.prefix(last)), lender: nil))
    withExtendedLifetime(whole) {}
  }

  private func refuses(_ image: PixelBuffer) throws {
    let surface = try Pictures.surface(33, 17)
    let pool = PixelBufferPool()
    let look = try Cube.identity(2).look()
    #expect(throws: ImageError.self) {
      try PreviewRenderer().render(image, orientation: .upright, into: surface)
    }
    #expect(throws: ImageError.self) {
      try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings())
    }
    #expect(throws: ImageError.self) {
      try ImageConverter(pool: pool).convert(image, to: .i444, color: .jpeg)
    }
    #expect(throws: ImageError.self) {
      try LookConverter(pool: pool).convert(image, with: look, to: .bgra, color: .jpeg)
    }
    #expect(throws: ImageError.self) { try pool.makeCopy(of: image) }
  }
}

/// Returns a picture of noise. Each of its planes ends at the end of a page, with no memory behind it.
/// - Parameter padding: the bytes after each row, an even number.
private func edged(
  _ pixelFormat: PixelFormat, _ size: PixelSize, padding: Int, isInterlaced: Bool = false
) throws -> PixelBuffer {
  let format = ImageFormat(
    pixelFormat: pixelFormat, size: size, color: ColorDescription(matrix: .bt709, range: .limited))
  let edges = try format.planeLayout().map { tight in
    try EdgedMemory(
      bytesPerRow: tight.bytesPerRow + padding, rows: tight.height, bytesOfLast: tight.bytesPerRow)
  }
  return PixelBuffer(
    format: format, planes: edges.map(\.plane), lender: EdgedMemory.Holder(edges), isInterlaced: isInterlaced)
}

/// `@unchecked Sendable`: the memory is filled before it is shared, and unmapped when its last holder releases it.
private final class EdgedMemory: @unchecked Sendable {
  let plane: Plane
  private let mapping: UnsafeMutableRawPointer
  private let length: Int

  /// Maps the memory and a guard page behind it.
  /// - Parameter bytesOfLast: the bytes of the last row, which has no padding.
  init(bytesPerRow: Int, rows: Int, bytesOfLast: Int) throws {
    let (page, count) = (Int(sysconf(Int32(_SC_PAGESIZE))), bytesPerRow * (rows - 1) + bytesOfLast)
    let room = (count + page - 1) / page * page
    length = room + page
    let made = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let made, made != MAP_FAILED, mprotect(made + room, page, PROT_NONE) == 0 else {
      throw ImageError.outOfMemory(bytes: length)
    }
    mapping = made
    let base = made + room - count
    for index in 0..<count {
      base.storeBytes(of: Pictures.noise(index, rows, 3), toByteOffset: index, as: UInt8.self)
    }
    plane = Plane(base: base, bytesPerRow: bytesPerRow, height: rows)
  }

  deinit { munmap(mapping, length) }

  final class Holder: PixelBufferLender {
    private let memory: [EdgedMemory]
    init(_ memory: [EdgedMemory]) { self.memory = memory }
    func takeBack(_ index: Int) {}
  }
}
