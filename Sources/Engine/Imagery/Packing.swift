import CYUV

extension PixelBuffer {
  /// The pixels of an RGB picture, for writing before anyone else holds it.
  var packed: PackedPixels {
    PackedPixels(
      base: planes[0].pointer, bytesPerRow: planes[0].bytesPerRow, isRGBA: format.pixelFormat == .rgba)
  }
}

extension PlanarImage {
  /// Lays out planes of the right sampling in a Y′CbCr format.
  func pack(into buffer: PixelBuffer) {
    switch buffer.format.pixelFormat {
    case .nv12, .nv21, .nv16: packPairs(buffer)
    case .yuyv, .yvyu, .uyvy: pack422(buffer)
    case .p010: packP010(buffer)
    case .y210: packY210(buffer)
    case .yv12:
      for (index, plane) in [0, 2, 1].enumerated() {
        turn(planes[index], planeSize(index), orientation: .upright, into: buffer.planes[plane])
      }
    case .i420, .i422, .i444, .grey, .bgra, .rgba, .rgb24, .bgr24, .xrgb, .bayerBGGR, .bayerGBRG, .bayerGRBG,
      .bayerRGGB, .mjpeg:
      for (index, plane) in buffer.planes.enumerated() {
        turn(planes[index], planeSize(index), orientation: .upright, into: plane)
      }
    }
  }

  private func packPairs(_ buffer: PixelBuffer) {
    let (chroma, pairs) = (planeSize(1), buffer.planes[1])
    let isSwapped = buffer.format.pixelFormat == .nv21
    let (first, second) = (planes[isSwapped ? 2 : 1], planes[isSwapped ? 1 : 2])
    turn(planes[0], size, orientation: .upright, into: buffer.planes[0])
    MergeUVPlane(
      first.pointer, first.stride, second.pointer, second.stride, pairs.pointer, pairs.stride,
      Int32(chroma.width), Int32(chroma.height))
  }

  private func pack422(_ buffer: PixelBuffer) {
    // The offsets of luma, Cb and Cr within the bytes of a pair of pixels.
    let (lumaAt, cbAt, crAt) =
      switch buffer.format.pixelFormat {
      case .uyvy: (1, 0, 2)
      case .yvyu: (0, 3, 1)
      default: (0, 1, 3)
      }
    for row in 0..<size.height {
      let (y, u, v) = (planes[0].row(row), planes[1].row(row), planes[2].row(row))
      let out = buffer.planes[0].row(row)
      for pair in 0..<planeSize(1).width {
        out[pair &* 4 &+ lumaAt] = y[pair &* 2]
        out[pair &* 4 &+ lumaAt &+ 2] = y[min(pair &* 2 &+ 1, size.width &- 1)]
        out[pair &* 4 &+ cbAt] = u[pair]
        out[pair &* 4 &+ crAt] = v[pair]
      }
    }
  }

  private func packP010(_ buffer: PixelBuffer) {
    let widen = TenBitWidening(color.range)
    for row in 0..<size.height {
      widen.row(planes[0].row(row), buffer.planes[0].words(row), step: 1, width: size.width)
    }
    let chroma = planeSize(1)
    for row in 0..<chroma.height {
      let pairs = buffer.planes[1].words(row)
      widen.row(planes[1].row(row), pairs, step: 2, width: chroma.width)
      widen.row(planes[2].row(row), pairs + 1, step: 2, width: chroma.width)
    }
  }

  private func packY210(_ buffer: PixelBuffer) {
    let widen = TenBitWidening(color.range)
    for row in 0..<size.height {
      let words = buffer.planes[0].words(row)
      widen.row(planes[0].row(row), words, step: 2, width: size.width)
      if size.width % 2 == 1 { words[size.width * 2] = words[size.width * 2 - 2] }
      widen.row(planes[1].row(row), words + 1, step: 4, width: planeSize(1).width)
      widen.row(planes[2].row(row), words + 3, step: 4, width: planeSize(1).width)
    }
  }
}

/// Converts 8-bit codes to 10-bit codes in the high bits of 16-bit words: times 4 for limited range, 1023/255 for full.
struct TenBitWidening {
  private let isFull: Bool

  init(_ range: ColorRange) { isFull = range == .full }

  func row(_ bytes: UnsafePointer<UInt8>, _ words: UnsafeMutablePointer<UInt16>, step: Int, width: Int) {
    for x in 0..<width {
      let value = UInt32(bytes[x])
      words[x &* step] = UInt16((isFull ? (value * 1023 + 127) / 255 : value << 2) << 6)
    }
  }
}
