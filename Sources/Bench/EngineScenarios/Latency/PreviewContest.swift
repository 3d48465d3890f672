import CPhotoFloor
import Capture
import Glibc
import Harness
package import Imagery
import Probes
import System

/// A hand-written C preview of a single frame, unscaled.
///
/// `@unchecked Sendable`: created before the preview's thread starts, then used by that thread alone.
package final class PreviewFloor: @unchecked Sendable {
  /// Size of the drawn picture: the size of the frame, transposed if the frame is turned.
  let surface: PixelSize
  private let frame: PixelBuffer
  private let isTurned: Bool
  private let band: Int?
  private let floor: OpaquePointer
  /// Two pictures that are drawn to alternately, like the buffers of a surface.
  private let pictures: [PixelBuffer]
  private var count = 0

  /// - Parameters:
  ///   - frame: NV12 of limited range in BT.709, or JPEG 4:2:0.
  ///   - isTurned: whether to turn it clockwise by 90°; NV12 only.
  ///   - band: the number of the frame's rows that are turned at once; nil for all of them.
  package init(frame: PixelBuffer, isTurned: Bool, band: Int? = nil) throws {
    let size = frame.format.size
    surface = isTurned ? size.transposed : size
    let pool = PixelBufferPool()
    let format = ImageFormat(
      pixelFormat: .bgra, size: surface, color: ColorDescription(matrix: .bt709, range: .full))
    pictures = try (0..<2).map { _ in try pool.makeBuffer(format) }
    guard let floor = preview_floor_open(Int32(size.width), Int32(size.height)) else {
      throw ImageError.outOfMemory(bytes: size.area)
    }
    self.frame = frame
    self.isTurned = isTurned
    self.band = band
    self.floor = floor
  }

  deinit { preview_floor_close(floor) }

  /// The picture drawn last.
  var latest: PixelBuffer { pictures[count % 2] }

  /// - Returns: false if the libraries refuse the frame.
  package func draw() -> Bool {
    count += 1
    let (picture, size) = (pictures[count % 2].planes[0], frame.format.size)
    let (width, height) = (Int32(size.width), Int32(size.height))
    let (target, stride) = (
      picture.base.assumingMemoryBound(to: UInt8.self), Int32(picture.bytesPerRow)
    )
    let first = frame.planes[0]
    guard frame.format.pixelFormat == .nv12 else {
      guard frame.format.pixelFormat == .mjpeg else { return false }
      return preview_floor_jpeg(floor, first.base, first.byteCount, width, height, target, stride) == 1
    }
    let chroma = frame.planes[1]
    let (luma, lumaStride, chromaStride) = (
      first.base, Int32(first.bytesPerRow), Int32(chroma.bytesPerRow)
    )
    if isTurned, let band {
      return preview_floor_nv12_banded(
        floor, luma, lumaStride, chroma.base, chromaStride, width, height, Int32(band), target, stride) == 1
    }
    return isTurned
      ? preview_floor_nv12_turned(
        floor, luma, lumaStride, chroma.base, chromaStride, width, height, target, stride) == 1
      : preview_floor_nv12(luma, lumaStride, chroma.base, chromaStride, width, height, target, stride) == 1
  }
}

/// A contest: a preview draws one frame repeatedly, and the C floor draws the same frame after each picture, on the preview's own thread. The load
/// of the machine affects both, and only the thread's processor time counts.
struct PreviewContest {
  let rig: Rig
  let rounds: Int
  /// Number of first pictures that do not count, because they warm up caches and memory.
  private static let warming = 5

  /// The progress of a contest. `mark` is the thread's processor time at the end of the last round.
  private struct Progress {
    var outcome = FloorOutcome()
    var mark = Duration.zero
    var shown = 0
    var isRefused = false
  }

  /// Runs the contest. Blocks the thread.
  /// - Parameters:
  ///   - draws: the number of times that the floor draws each frame, to prove the contest.
  ///   - band: as in `PreviewFloor`.
  /// - Throws: `Unsupported` if the floor cannot draw the frame; `CancellationError`.
  func run(_ frame: PixelBuffer, isTurned: Bool, draws: Int = 1, band: Int? = nil) throws -> FloorOutcome {
    let floor = try PreviewFloor(frame: frame, isTurned: isTurned, band: band)
    let orientation = isTurned ? Orientation(rotation: .clockwise90) : .upright
    return try run(frame, orientation: orientation, on: floor.surface) {
      (0..<draws).allSatisfy { _ in floor.draw() }
    }
  }

  /// - Parameter floor: draws the same picture on the preview's thread; false if it cannot.
  private func run(
    _ image: PixelBuffer, orientation: Orientation, on size: PixelSize, floor: @escaping @Sendable () -> Bool
  ) throws -> FloorOutcome {
    let clock = SystemClock()
    let progress = Locked(Progress())
    let surface = rig.makeSurface(size: size, interval: .zero, clock: clock)
    let output = PreviewOutput(surface: surface, clock: clock) { _ in
      let shown = ProcessorTime.ofThread()
      let isDrawn = floor()
      let drawn = ProcessorTime.ofThread()
      progress.withLock { progress in
        progress.shown += 1
        progress.isRefused = progress.isRefused || !isDrawn
        if progress.shown > Self.warming {
          progress.outcome.ours.append((shown - progress.mark).milliseconds)
          progress.outcome.floor.append((drawn - shown).milliseconds)
        }
        progress.mark = ProcessorTime.ofThread()
      }
    }
    try output.begin()
    defer { output.end() }
    for round in 1...rounds + Self.warming {
      output.receive(frame(image, orientation, number: UInt32(round)))
      // Waits until the picture is shown or has failed. A failed picture, as with a fault, has no time.
      while output.totals.presented + output.totals.failed < round { usleep(Self.pause) }
      try Task.checkCancellation()
    }
    guard !progress.withLock({ $0.isRefused }) else {
      throw Unsupported(
        "the C code that the engine is compared with does not draw \(image.format.pixelFormat) of \(image.format.size)"
      )
    }
    return progress.withLock { $0.outcome }
  }

  /// Pause between two checks whether a picture is done, in microseconds. The checks run on another thread than the preview.
  private static let pause: UInt32 = 100

  private func frame(_ image: PixelBuffer, _ orientation: Orientation, number: UInt32) -> Frame {
    Frame(
      image: image, sequence: number, exposureTime: .now(), exposureEdge: .startOfExposure,
      arrivalTime: .now(),
      orientation: FrameOrientation(preview: orientation, capture: orientation))
  }
}
