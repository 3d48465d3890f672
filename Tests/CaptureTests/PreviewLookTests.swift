import Imagery
import System
import Testing

@testable import Capture

/// Changes of the look while pictures arrive.
@Suite struct PreviewLookTests {
  /// A look that swaps black and white.
  private static let negative = "LUT_1D_SIZE 2\n1 1 1\n0 0 0\n"

  private func frame(_ number: UInt32, _ size: PixelSize = PixelSize(width: 16, height: 16)) throws -> Frame {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: size, color: .jpeg))
    image.planes[0].base.initializeMemory(as: UInt8.self, repeating: 40, count: image.planes[0].byteCount)
    return Frame(
      image: image, sequence: number, exposureTime: .now(), exposureEdge: .startOfExposure,
      arrivalTime: .now(),
      orientation: .upright)
  }

  @Test func itTakesEffectOnTheNextFrameAndIsGoneWithTheOneAfter() throws {
    let seen = Locked<[UInt8]>([])
    let output = PreviewOutput(surface: OffscreenSurface(size: PixelSize(width: 16, height: 16))) { picture in
      let level = picture.image.planes[0].base.load(as: UInt8.self)
      seen.withLock { $0.append(level) }
      seen.notify()
    }
    try output.begin()
    defer { output.end() }
    let look = try ColorLookup(cube: Array(Self.negative.utf8))
    for (number, choice) in [nil, look, look, nil].enumerated() {
      output.look = choice
      output.receive(try frame(UInt32(number)))
      seen.wait { $0.count > number ? () : nil }
    }
    #expect(seen.withLock { $0 } == [40, 215, 215, 40])
  }

  /// Each picture has one look in all its rows, even if the look changes often and the machine is busy.
  @Test func noPictureHasTwoLooks() throws {
    let size = PixelSize(width: 800, height: 600)
    let seen = Locked<(levels: [UInt8], mixed: Int)>(([], 0))
    let output = PreviewOutput(surface: OffscreenSurface(size: size)) { picture in
      let plane = picture.image.planes[0]
      let first = plane.base.load(as: UInt32.self)
      let isWhole = stride(from: 0, to: size.height, by: 4).allSatisfy { y in
        stride(from: 0, to: size.width, by: 25).allSatisfy { x in
          (plane.base + y * plane.bytesPerRow).load(fromByteOffset: x * 4, as: UInt32.self) == first
        }
      }
      seen.withLock { seen in
        seen.levels.append(UInt8(first & 255))
        seen.mixed += isWhole ? 0 : 1
      }
      seen.notify()
    }
    let looks = [nil, try ColorLookup(cube: Array(Self.negative.utf8)), try ColorLookup(cube: Self.lattice)]
    let isOver = Locked(false)
    let busy = try (0..<4).map { number in
      try NamedThread(name: "busy") {
        var count = number
        while !isOver.withLock({ $0 }) {
          count &+= 1
          if number == 0 { output.look = looks[count % 3] }
        }
      }
    }
    try output.begin()
    for number in 1...60 {
      // The picture has the surface's size, because libyuv's scaling may darken a grey by one level.
      output.receive(try frame(UInt32(number), size))
      seen.wait { $0.levels.count >= number ? () : nil }
    }
    isOver.withLock { $0 = true }
    for thread in busy { thread.join() }
    output.end()
    let (levels, mixed) = seen.withLock { $0 }
    #expect(mixed == 0 && Set(levels).isSubset(of: [40, 215, 128]), "\(Set(levels))")
  }

  /// A look that turns every colour into grey.
  private static let lattice = Array(("LUT_3D_SIZE 2\n" + String(repeating: "0.5 0.5 0.5\n", count: 8)).utf8)

  /// The thread that helps with large pictures ends with the preview's own thread, and starts again with it.
  @Test func itMayBeginAgain() throws {
    let size = PixelSize(width: 800, height: 600)
    let count = Locked(0)
    let output = PreviewOutput(surface: OffscreenSurface(size: size)) { _ in
      count.withLock { $0 += 1 }
      count.notify()
    }
    output.look = try ColorLookup(cube: Array(Self.negative.utf8))
    for round in 1...3 {
      try output.begin()
      output.receive(try frame(UInt32(round)))
      count.wait { $0 == round ? () : nil }
      output.end()
    }
    #expect(output.totals.presented == 3)
  }
}
