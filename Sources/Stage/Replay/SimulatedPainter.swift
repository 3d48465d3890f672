import Capture
import Charts
import Imagery

/// The painter of a simulated camera's view. The static part for each attitude is drawn once; a frame is a copy with a new code.
final class SimulatedPainter {
  private let source: SimulatedSource
  private let pool = PixelBufferPool()
  private var format: ImageFormat?
  private var scenes: [Rotation: PixelBuffer] = [:]

  init(source: SimulatedSource) { self.source = source }

  /// Returns a square of an eighth of the short side, in whole cells, near the top left corner.
  static func timeCode(in size: PixelSize) -> ChartRect {
    let side = max(24, size.shortSide / 8 / TimeCode.side * TimeCode.side)
    return ChartRect(x: side / 4 / 2 * 2, y: side / 4 / 2 * 2, width: side, height: side)
  }

  /// Returns a square of a third of the short side, in whole cells, in the middle.
  static func fiducial(in size: PixelSize) -> ChartRect {
    let side = max(24, size.shortSide / 3 / Fiducial.side * Fiducial.side)
    return ChartRect(
      x: (size.width - side) / 4 * 2, y: (size.height - side) / 4 * 2, width: side, height: side)
  }

  func prepare(_ format: ImageFormat, specification: String) throws(CameraError) {
    guard [.nv12, .i420, .yuyv, .bgra, .rgba].contains(format.pixelFormat) else {
      throw .unsupportedFormat(
        specification, wanted: format.pixelFormat.rawValue, offered: "NV12, YU12, YUYV, AR24, AB24")
    }
    self.format = format
    _ = try paint(0, attitude: 0, specification: specification)
  }

  func paint(_ sequence: UInt32, attitude: Double, specification: String) throws(CameraError) -> PixelBuffer {
    guard let format else {
      throw .failed(specification, reason: "it was started before it was prepared; call `prepare` first")
    }
    do throws(ImageError) {
      let held = Rotation(nearest: attitude)
      let still: PixelBuffer
      if let drawn = scenes[held] { still = drawn } else { still = try drawScene(format, held: held) }
      scenes[held] = still
      let picture = try pool.makeBuffer(format)
      for (from, to) in zip(still.planes, picture.planes) {
        to.base.copyMemory(from: from.base, byteCount: from.byteCount)
      }
      TimeCode.draw(
        sequence, in: SimulatedPainter.timeCode(in: format.size), luma: picture.planes[0],
        pixelStride: format.pixelFormat.lumaStride)
      return picture
    } catch {
      throw .invalidSource(specification, reason: "\(error)")
    }
  }

  private func drawScene(_ format: ImageFormat, held: Rotation) throws(ImageError) -> PixelBuffer {
    let picture = try pool.makeBuffer(format)
    let stride = format.pixelFormat.lumaStride
    for plane in picture.planes {
      UnsafeMutableRawBufferPointer(start: plane.base, count: plane.byteCount).initializeMemory(
        as: UInt8.self, repeating: 128)
    }
    let luma = picture.planes[0]
    for y in 0..<format.size.height {
      let row = luma.base + y * luma.bytesPerRow
      for x in 0..<format.size.width {
        let level = UInt8(40 + 140 * (x + y) / (format.size.width + format.size.height))
        for channel in 0..<(stride == 4 ? 3 : 1) {
          row.storeBytes(of: level, toByteOffset: x * stride + channel, as: UInt8.self)
        }
      }
    }
    // Drawn upright in the world: the engine has to find the orientation that undoes this one.
    Fiducial.draw(
      in: SimulatedPainter.fiducial(in: format.size),
      orientation: source.mount.orientation(deviceTurned: held).inverse, luma: luma, pixelStride: stride)
    return picture
  }
}

extension PixelFormat {
  /// Bytes from pixel to pixel in the plane with the luma.
  fileprivate var lumaStride: Int {
    switch self {
    case .bgra, .rgba: 4
    case .yuyv: 2
    default: 1
    }
  }
}
