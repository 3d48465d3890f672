/// Converts P010 or Y210 to the three planes of 10-bit codes that a video encoder needs, each in the low bits of a 16-bit word; turned, with even
/// sides. One thread at a time; the result is valid until the next call and while this converter is held.
package final class WidePlaneConverter {
  /// The planes of luma, Cb and Cr.
  package struct Picture {
    package let size: PixelSize
    package let planes: [Plane]
  }

  private let memory = Scratch()
  private let deinterlacer = Deinterlacer()

  package init() {}

  /// - Parameters:
  ///   - orientation: the orientation to apply to the stored pixels.
  ///   - sampling: the sampling of the result. If pixels with chroma of their own share a chroma sample, it is their mean.
  /// - Throws: `unsupported` for an 8-bit format; `tooLarge` for less than two pixels a side; `truncated`.
  package func convert(
    _ image: PixelBuffer, orientation: Orientation, sampling: PlaneConverter.Sampling
  ) throws(ImageError) -> Picture {
    guard image.format.pixelFormat.isWide else {
      throw .unsupported(
        what: "\(image.format.pixelFormat.rawValue) as ten bits", remedy: "use PlaneConverter")
    }
    let image = try deinterlacer.progressive(image)
    try image.checkPlanes()
    guard image.format.size.shortSide >= 2 else {
      throw .tooLarge(what: "a picture of \(image.format.size) pixels", limit: "at least 2 pixels a side")
    }
    let source = PlaneConverter.evenSize(image.format.size)
    let size = orientation.applied(to: source)
    let chroma = PixelSize(
      width: size.width / 2, height: sampling == .s420 ? size.height / 2 : size.height)
    let planes = try reserve([size, chroma, chroma])
    let codes = WideCodes(image)
    let walk = StoredWalk(orientation, source)
    writeLuma(codes, walk, size: size, into: planes[0])
    writeChroma(codes, walk, size: chroma, rows: sampling == .s420 ? 2 : 1, into: planes)
    return Picture(size: size, planes: planes)
  }

  private func reserve(_ sizes: [PixelSize]) throws(ImageError) -> [Plane] {
    let strides = sizes.map { ($0.width * 2).aligned(to: 64) }
    var total = 0
    for (size, stride) in zip(sizes, strides) { total += stride * size.height }
    var next = try memory.reserve(total)
    var planes: [Plane] = []
    for (size, stride) in zip(sizes, strides) {
      planes.append(Plane(base: next, bytesPerRow: stride, height: size.height))
      next += stride * size.height
    }
    return planes
  }

  private func writeLuma(_ codes: WideCodes, _ walk: StoredWalk, size: PixelSize, into plane: Plane) {
    for y in 0..<size.height {
      let row = plane.words(y)
      var place = walk.place(0, y)
      for x in 0..<size.width {
        row[x] = codes.luma(place)
        place = (place.x &+ walk.across.x, place.y &+ walk.across.y)
      }
    }
  }

  /// - Parameter rows: the number of luma rows for each chroma row.
  private func writeChroma(
    _ codes: WideCodes, _ walk: StoredWalk, size: PixelSize, rows: Int, into planes: [Plane]
  ) {
    let count = UInt32(rows * 2)
    for y in 0..<size.height {
      let (cb, cr) = (planes[1].words(y), planes[2].words(y))
      for x in 0..<size.width {
        var (first, second) = (count / 2, count / 2)
        for row in 0..<rows {
          for column in 0..<2 {
            let pair = codes.chroma(walk.place(x &* 2 &+ column, y &* rows &+ row))
            first = first &+ UInt32(pair.cb)
            second = second &+ UInt32(pair.cr)
          }
        }
        cb[x] = UInt16(first / count)
        cr[x] = UInt16(second / count)
      }
    }
  }
}

/// Maps the pixels of a turned picture to stored pixels.
private struct StoredWalk {
  private let start: (x: Int, y: Int)
  /// The step from a pixel to its right neighbour, and to the one below it.
  let across, down: (x: Int, y: Int)

  /// - Parameter size: the size of the stored picture.
  init(_ orientation: Orientation, _ size: PixelSize) {
    let (right, bottom) = (size.width - 1, size.height - 1)
    // The turn alone, without the mirror that comes first.
    let (first, step, fall): ((x: Int, y: Int), (x: Int, y: Int), (x: Int, y: Int)) =
      switch orientation.rotation {
      case .none: ((0, 0), (1, 0), (0, 1))
      case .clockwise90: ((0, bottom), (0, -1), (1, 0))
      case .half: ((right, bottom), (-1, 0), (0, -1))
      case .clockwise270: ((right, 0), (0, 1), (-1, 0))
      }
    let isMirrored = orientation.isMirrored
    start = isMirrored ? (right - first.x, first.y) : first
    across = isMirrored ? (-step.x, step.y) : step
    down = isMirrored ? (-fall.x, fall.y) : fall
  }

  func place(_ x: Int, _ y: Int) -> (x: Int, y: Int) {
    (start.x &+ across.x &* x &+ down.x &* y, start.y &+ across.y &* x &+ down.y &* y)
  }
}

/// The codes of a stored picture by pixel.
private struct WideCodes {
  private let image: PixelBuffer
  private let isP010: Bool
  private let lumaPlane, chromaPlane: Plane

  init(_ image: PixelBuffer) {
    self.image = image
    isP010 = image.format.pixelFormat == .p010
    lumaPlane = image.planes[0]
    chromaPlane = image.planes[isP010 ? 1 : 0]
  }

  @inline(__always) func luma(_ place: (x: Int, y: Int)) -> UInt16 {
    lumaPlane.words(place.y)[isP010 ? place.x : place.x &* 2] &>> 6
  }

  /// P010 has pairs of Cb and Cr for two rows; Y210 has Y0 Cb Y1 Cr.
  @inline(__always) func chroma(_ place: (x: Int, y: Int)) -> (cb: UInt16, cr: UInt16) {
    let sample = place.x / 2
    if isP010 {
      let words = chromaPlane.words(place.y / 2)
      return (words[sample &* 2] &>> 6, words[sample &* 2 &+ 1] &>> 6)
    }
    let words = chromaPlane.words(place.y)
    return (words[sample &* 4 &+ 1] &>> 6, words[sample &* 4 &+ 3] &>> 6)
  }
}
