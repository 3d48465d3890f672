import CYUV

/// Cuts a picture into tiles that are turned and converted one by one. A tile has 64 rows, which stay in the processor's cache, or
/// all rows if rows become columns: smaller tiles would then be narrow columns of the surface, whose lines are far apart in memory. An
/// odd last row or column is a tile of its own, so that no chroma sample crosses a tile's edge after a flip.
///
/// - Parameters:
///   - size: the size of the stored picture.
///   - draw: writes the upright form of a tile (a region of the stored picture) at its place on the surface.
func turnTiles(
  _ size: PixelSize, _ orientation: Orientation, surface: PackedPixels,
  draw: (AspectFill.Region, PackedPixels) throws(ImageError) -> Void
) throws(ImageError) {
  let rows = orientation.rotation.swapsAxes ? size.height : 64
  var y = 0
  while y < size.height {
    let height = tileRun(from: y, in: size.height, longest: rows)
    var x = 0
    while x < size.width {
      let width = tileRun(from: x, in: size.width, longest: size.width)
      let tile = AspectFill.Region(x: x, y: y, size: PixelSize(width: width, height: height))
      let place = tile.turned(within: size, orientation)
      try draw(tile, surface.from(x: place.x, y: place.y))
      x += width
    }
    y += height
  }
}

/// The length of the next tile: even and at most `longest`, then the odd rest.
private func tileRun(from start: Int, in length: Int, longest: Int) -> Int {
  let left = (length & ~1) - start
  return left > 0 ? min(max(longest & ~1, 2), left) : length - start
}

extension AspectFill.Region {
  /// The place of this part of a picture of `size` after the picture is mirrored and turned.
  func turned(within whole: PixelSize, _ orientation: Orientation) -> AspectFill.Region {
    let left = orientation.isMirrored ? whole.width - x - size.width : x
    let (right, below) = (whole.width - left - size.width, whole.height - y - size.height)
    let turned = orientation.applied(to: size)
    return switch orientation.rotation {
    case .none: AspectFill.Region(x: left, y: y, size: turned)
    case .clockwise90: AspectFill.Region(x: below, y: left, size: turned)
    case .half: AspectFill.Region(x: right, y: below, size: turned)
    case .clockwise270: AspectFill.Region(x: y, y: right, size: turned)
    }
  }
}

extension PlanarImage {
  /// A part of the picture; its origin must be a multiple of the sampling.
  func cropped(_ region: AspectFill.Region) -> PlanarImage {
    var part = self
    part.size = region.size
    for index in planes.indices {
      let across = index == 0 ? 1 : sampling.horizontal
      let down = index == 0 ? 1 : sampling.vertical
      part.planes[index] = planes[index].from(row: region.y / down, byte: region.x / across)
    }
    return part
  }
}

/// Turns and mirrors packed four-byte pixels.
func turnPacked(
  _ source: PackedPixels, _ size: PixelSize, orientation: Orientation, into target: PackedPixels
) {
  // As in the code for planes: a mirror is a half-turn of the picture with its rows read from bottom to top.
  let mode = orientation.isMirrored ? orientation.rotation + .half : orientation.rotation
  let start = orientation.isMirrored ? source.base + (size.height - 1) * source.bytesPerRow : source.base
  ARGBRotate(
    start, orientation.isMirrored ? -source.stride : source.stride, target.base, target.stride,
    Int32(size.width), Int32(size.height), mode.libyuv)
}

/// Splits interleaved chroma into two planes, turned.
func splitAndTurn(
  _ pairs: Plane, _ size: PixelSize, orientation: Orientation, into image: PlanarImage
) {
  let mode = orientation.isMirrored ? orientation.rotation + .half : orientation.rotation
  let start = orientation.isMirrored ? pairs.row(size.height - 1) : pairs.pointer
  let (cb, cr) = (image.planes[1], image.planes[2])
  let stride = orientation.isMirrored ? -pairs.stride : pairs.stride
  if mode == .none {
    return SplitUVPlane(
      start, stride, cb.pointer, cb.stride, cr.pointer, cr.stride, Int32(size.width), Int32(size.height))
  }
  SplitRotateUV(
    start, stride, cb.pointer, cb.stride, cr.pointer, cr.stride, Int32(size.width), Int32(size.height),
    mode.libyuv)
}

/// Copies packed pixels as opaque ones, with red and blue swapped if requested.
func copyPacked(_ source: Plane, swapping: Bool, _ size: PixelSize, into target: PackedPixels) {
  let (width, height) = (Int32(size.width), Int32(size.height))
  if swapping {
    ARGBToABGR(source.pointer, source.stride, target.base, target.stride, width, height)
  } else {
    ARGBCopy(source.pointer, source.stride, target.base, target.stride, width, height)
  }
  target.makeOpaque(size)
}

extension PackedPixels {
  func makeOpaque(_ size: PixelSize) {
    // Alpha is the highest byte of a little-endian pixel.
    for row in 0..<size.height {
      let pixels = UnsafeMutableRawPointer(base + row * bytesPerRow).assumingMemoryBound(to: UInt32.self)
      for x in 0..<size.width { pixels[x] |= 0xFF00_0000 }
    }
  }
}
