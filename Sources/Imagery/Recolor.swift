/// Codes of one colour description → codes of another, at 8 bits, without going through RGB pixels. Chroma mixes only
/// with chroma; luma gains a share of chroma when the matrices differ. In 14-bit
/// fixed point.
struct Recolor {
  private let luma: Int16
  private let lumaOffset: Int32
  private let (lumaFromCb, lumaFromCr): (Int16, Int16)
  private let (cbFromCb, cbFromCr, crFromCb, crFromCr): (Int16, Int16, Int16, Int16)

  init(from source: ColorDescription, to destination: ColorDescription) {
    let (a, b) = (YCbCrMatrix(source), YCbCrMatrix(destination))
    // All below 2, so that 14 bits of fraction fit.
    let unit = { (value: Double) in Int16((value * 16384).rounded()) }
    // Luma of the destination that a unit of the source's chroma brings, both in −0.5...0.5.
    let fromCb = b.green * a.greenFromCb + b.blue * a.blueFromCb
    let fromCr = b.red * a.redFromCr + b.green * a.greenFromCr
    let scale = b.chromaSpan / a.chromaSpan
    luma = unit(b.lumaSpan / a.lumaSpan)
    lumaOffset = Int32(((b.black - a.black * b.lumaSpan / a.lumaSpan) * 16384).rounded()) + 8192
    lumaFromCb = unit(fromCb * b.lumaSpan / a.chromaSpan)
    lumaFromCr = unit(fromCr * b.lumaSpan / a.chromaSpan)
    cbFromCb = unit((a.blueFromCb - fromCb) / b.blueFromCb * scale)
    cbFromCr = unit(-fromCr / b.blueFromCb * scale)
    crFromCb = unit(-fromCb / b.redFromCr * scale)
    crFromCr = unit((a.redFromCr - fromCr) / b.redFromCr * scale)
  }

  /// - Parameters:
  ///   - destination: planes like the source's, not the source's own (the compiler's fast loops need them apart).
  ///   - offsets: memory for as many numbers as the picture is wide, and three more.
  func apply(_ source: PlanarImage, into destination: PlanarImage, offsets: UnsafeMutablePointer<Int32>) {
    let width = source.size.width
    let mixesChroma = !source.sampling.isMonochrome && (lumaFromCb != 0 || lumaFromCr != 0)
    for x in 0..<width { offsets[x] = lumaOffset }
    for row in 0..<source.size.height {
      if mixesChroma, row % source.sampling.vertical == 0 {
        chromaOffsets(source, row / source.sampling.vertical, offsets)
      }
      lumaRow(source.planes[0].row(row), destination.planes[0].row(row), offsets, width)
    }
    guard !source.sampling.isMonochrome else { return }
    let chroma = source.planeSize(1)
    for row in 0..<chroma.height {
      chromaRow(
        source.planes[1].row(row), source.planes[2].row(row), destination.planes[1].row(row),
        destination.planes[2].row(row), chroma.width)
    }
  }

  /// What each luma sample of a row gains from its chroma.
  private func chromaOffsets(_ source: PlanarImage, _ row: Int, _ offsets: UnsafeMutablePointer<Int32>) {
    let (cb, cr) = (source.planes[1].row(row), source.planes[2].row(row))
    let repeats = source.sampling.horizontal
    for x in 0..<source.planeSize(1).width {
      let (u, v) = (Int32(cb[x]) &- 128, Int32(cr[x]) &- 128)
      let offset = (u &* Int32(lumaFromCb) &+ v &* Int32(lumaFromCr)) &+ lumaOffset
      for place in 0..<repeats { offsets[x &* repeats &+ place] = offset }
    }
  }

  @inline(never)
  private func lumaRow(
    _ source: UnsafePointer<UInt8>, _ destination: UnsafeMutablePointer<UInt8>,
    _ offsets: UnsafePointer<Int32>, _ width: Int
  ) {
    for x in 0..<width {
      destination[x] = clampedToByte((Int32(source[x]) &* Int32(luma) &+ offsets[x]) &>> 14)
    }
  }

  @inline(never)
  private func chromaRow(
    _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, _ newCb: UnsafeMutablePointer<UInt8>,
    _ newCr: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    let zero: Int32 = (128 << 14) + 8192
    for x in 0..<width {
      let (u, v) = (Int32(cb[x]) &- 128, Int32(cr[x]) &- 128)
      newCb[x] = clampedToByte((u &* Int32(cbFromCb) &+ v &* Int32(cbFromCr) &+ zero) &>> 14)
      newCr[x] = clampedToByte((u &* Int32(crFromCb) &+ v &* Int32(crFromCr) &+ zero) &>> 14)
    }
  }
}
