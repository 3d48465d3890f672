import CPhotoFloor
import Harness
package import Imagery
import System

/// The photo path in hand-written C, for frames of JPEG 4:2:0, NV12 and YUYV. One thread at a time.
package final class FloorPipeline {
  private let floor: OpaquePointer

  /// - Parameter longest: the size of the largest frame.
  package init(longest: PixelSize) throws {
    guard let floor = photo_floor_open(Int32(longest.width), Int32(longest.height)) else {
      throw ImageError.outOfMemory(bytes: longest.area)
    }
    self.floor = floor
  }

  deinit { photo_floor_close(floor) }

  /// Makes a photo from a landscape frame: turned clockwise, with a long side of 1024.
  /// - Returns: the length of the JPEG, in bytes.
  /// - Throws: `Unsupported` for other formats, or if the libraries refuse the frame.
  package func photo(of frame: PixelBuffer) throws -> Int {
    let size = frame.format.size
    let (width, height) = (1024, size.height * 1024 / size.width & ~1)
    let length =
      switch frame.format.pixelFormat {
      case .mjpeg: jpeg(frame, eighths: (width * 8 + size.width - 1) / size.width, width, height: height)
      case .nv12: nv12(frame, width, height: height)
      case .yuyv: yuyv(frame, width, height: height)
      default: 0
      }
    guard length > 0 else {
      throw Unsupported("the C pipeline does not take \(frame.format.pixelFormat) of \(size)")
    }
    return length
  }

  private func jpeg(_ frame: PixelBuffer, eighths: Int, _ width: Int, height: Int) -> Int {
    let bytes = frame.planes[0]
    return photo_floor_jpeg(
      floor, bytes.base, bytes.byteCount, Int32(eighths), Int32(width), Int32(height))
  }

  private func nv12(_ frame: PixelBuffer, _ width: Int, height: Int) -> Int {
    let (luma, chroma, size) = (frame.planes[0], frame.planes[1], frame.format.size)
    return photo_floor_nv12(
      floor, luma.base, Int32(luma.bytesPerRow), chroma.base, Int32(chroma.bytesPerRow), Int32(size.width),
      Int32(size.height), Int32(width), Int32(height))
  }

  private func yuyv(_ frame: PixelBuffer, _ width: Int, height: Int) -> Int {
    let (plane, size) = (frame.planes[0], frame.format.size)
    return photo_floor_yuyv(
      floor, plane.base, Int32(plane.bytesPerRow), Int32(size.width), Int32(size.height), Int32(width),
      Int32(height))
  }
}

/// A contest of two photo paths, timed round by round, so that the load of the machine affects both.
struct PhotoContest {
  let rounds: Int

  /// A photo, and the processor time that it took on threads other than the caller's.
  struct Made {
    let bytes: Int
    var elsewhere = Duration.zero
  }

  /// - Parameters:
  ///   - floor: makes one photo with the C floor.
  ///   - ours: makes one photo with the engine.
  func run(floor: () throws -> Made, ours: () throws -> Made) throws -> FloorOutcome {
    // The first photo of each warms its caches.
    _ = (try time(floor), try time(ours))
    var outcome = FloorOutcome()
    for _ in 0..<rounds {
      outcome.floor.append(try time(floor))
      outcome.ours.append(try time(ours))
    }
    return outcome
  }

  private func time(_ photo: () throws -> Made) throws -> Double {
    let began = ProcessorTime.ofThread()
    let made = try photo()
    guard made.bytes > 0 else { throw Unsupported("a pipeline made a photo without bytes; report this") }
    return (ProcessorTime.ofThread() - began + made.elsewhere).milliseconds
  }
}

extension PixelBuffer {
  /// Copies the picture into memory of its own. The address of the memory changes the speed of a path by a tenth, and addresses in a process are
  /// random.
  func inOtherMemory() throws -> PixelBuffer {
    guard !format.pixelFormat.isCompressed else {
      return try PixelBufferPool().makeBuffer(format, compressed: planes[0].bytes)
    }
    let copy = try PixelBufferPool().makeBuffer(format)
    for (from, to) in zip(planes, copy.planes) {
      for row in 0..<from.height {
        (to.base + row * to.bytesPerRow).copyMemory(
          from: from.base + row * from.bytesPerRow, byteCount: min(from.bytesPerRow, to.bytesPerRow))
      }
    }
    return copy
  }
}
