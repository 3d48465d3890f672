import Imagery
import System
import Testing

@Suite struct PixelBufferPoolTests {
  let format = ImageFormat(pixelFormat: .nv12, size: PixelSize(width: 31, height: 17), color: .jpeg)

  @Test func memoryComesBack() throws {
    let pool = PixelBufferPool()
    let first = try pool.makeBuffer(format).planes[0].base
    #expect(try pool.makeBuffer(format).planes[0].base == first)
    let (a, b) = (try pool.makeBuffer(format), try pool.makeBuffer(format))
    #expect(a.planes[0].base != b.planes[0].base)
  }

  @Test func planesAreAlignedAndApart() throws {
    let buffer = try PixelBufferPool().makeBuffer(format)
    #expect(buffer.planes.map(\.bytesPerRow) == [64, 64] && buffer.planes.map(\.height) == [17, 9])
    #expect(buffer.planes.allSatisfy { Int(bitPattern: $0.base) % 64 == 0 })
    #expect(buffer.planes[1].base >= buffer.planes[0].base + 64 * 17)
  }

  /// Buffers that many threads hold at once never share memory.
  @Test func isSafeFromManyThreads() async throws {
    let pool = PixelBufferPool()
    let size = PixelSize(width: 64, height: 8)
    let clean = await withTaskGroup(of: Bool.self) { group in
      for worker in 0..<8 {
        group.addTask {
          (0..<300).allSatisfy { turn in
            let format = ImageFormat(pixelFormat: turn % 2 == 0 ? .grey : .bgra, size: size, color: .jpeg)
            guard let buffer = try? pool.makeBuffer(format) else { return false }
            let bytes = UnsafeMutableRawBufferPointer(
              start: buffer.planes[0].base, count: buffer.planes[0].byteCount)
            let mark = UInt8(worker * 31 + turn % 31)
            for index in bytes.indices { bytes[index] = mark }
            return bytes.allSatisfy { $0 == mark }
          }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(clean)
  }

  @Test func copiesCompressedAndRaw() throws {
    let pool = PixelBufferPool()
    let bytes = (0..<format.frameByteCount).map { UInt8(truncatingIfNeeded: $0) }
    let raw = try bytes.withUnsafeBytes { try pool.makeBuffer(format, compressed: $0) }
    #expect(raw.planes[0].bytes[64] == 31 && raw.planes[1].bytes[0] == UInt8(truncatingIfNeeded: 31 * 17))
    let jpeg = ImageFormat(pixelFormat: .mjpeg, size: format.size, color: .jpeg)
    let packed = try bytes.withUnsafeBytes { try pool.makeBuffer(jpeg, compressed: $0) }
    #expect(packed.planes.count == 1 && packed.planes[0].bytes.elementsEqual(bytes))
    #expect(throws: ImageError.truncated(format: "NV12", have: 5, needed: format.frameByteCount)) {
      try bytes.withUnsafeBytes { try pool.makeBuffer(format, compressed: .init(rebasing: $0[0..<5])) }
    }
  }

  @Test func absurdSizesAreRefusedBeforeAllocating() {
    for (width, height) in [(0, 4), (4, -1), (32_769, 1), (32_768, 32_768)] {
      let format = ImageFormat(
        pixelFormat: .bgra, size: PixelSize(width: width, height: height), color: .jpeg)
      #expect(throws: ImageError.self) { try PixelBufferPool().makeBuffer(format) }
      #expect(format.frameByteCount == 0)
    }
  }

  @Test(arguments: [
    (PixelFormat.nv12, 31 * 17 + 32 * 9), (.i420, 31 * 17 + 2 * 16 * 9), (.i422, 31 * 17 + 2 * 16 * 17),
    (.i444, 3 * 31 * 17), (.yuyv, 64 * 17), (.bgra, 124 * 17), (.rgba, 124 * 17), (.grey, 31 * 17),
    (.p010, 62 * 17 + 64 * 9),
    (.y210, 128 * 17), (.mjpeg, 0), (.nv21, 31 * 17 + 32 * 9), (.nv16, 31 * 17 + 32 * 17),
    (.yv12, 31 * 17 + 2 * 16 * 9), (.yvyu, 64 * 17), (.uyvy, 64 * 17), (.rgb24, 93 * 17), (.bgr24, 93 * 17),
    (.xrgb, 124 * 17), (.bayerBGGR, 31 * 17), (.bayerGBRG, 31 * 17), (.bayerGRBG, 31 * 17),
    (.bayerRGGB, 31 * 17),
  ])
  func layoutsFollowV4L2(format: PixelFormat, bytes: Int) {
    #expect(ImageFormat(pixelFormat: format, size: self.format.size, color: .jpeg).frameByteCount == bytes)
  }
}
