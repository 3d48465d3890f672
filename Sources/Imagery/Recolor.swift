/// Codes of one colour description → codes of another, at 8 bits, without going through RGB pixels. Chroma mixes only
/// with chroma; luma gains a share of chroma when the matrices differ. 16-bit fixed point.
struct Recolor {
  private let (luma, lumaOffset): (Int32, Int32)
  private let (lumaFromCb, lumaFromCr): (Int32, Int32)
  private let (cbFromCb, cbFromCr, crFromCb, crFromCr): (Int32, Int32, Int32, Int32)

  init(from source: ColorDescription, to destination: ColorDescription) {
    let (a, b) = (YCbCrMatrix(source), YCbCrMatrix(destination))
    let unit = { (value: Double) in Int32((value * 65536).rounded()) }
    // Luma of the destination that a unit of the source's chroma brings, both in −0.5...0.5.
    let fromCb = b.green * a.greenFromCb + b.blue * a.blueFromCb
    let fromCr = b.red * a.redFromCr + b.green * a.greenFromCr
    let scale = b.chromaSpan / a.chromaSpan
    luma = unit(b.lumaSpan / a.lumaSpan)
    lumaOffset = unit(b.black - a.black * b.lumaSpan / a.lumaSpan) + 32768
    lumaFromCb = unit(fromCb * b.lumaSpan / a.chromaSpan)
    lumaFromCr = unit(fromCr * b.lumaSpan / a.chromaSpan)
    cbFromCb = unit((a.blueFromCb - fromCb) / b.blueFromCb * scale)
    cbFromCr = unit(-fromCr / b.blueFromCb * scale)
    crFromCb = unit(-fromCb / b.redFromCr * scale)
    crFromCr = unit((a.redFromCr - fromCr) / b.redFromCr * scale)
  }

  /// - Parameter destination: planes like the source's; they may be the source's own.
  func apply(_ source: PlanarImage, into destination: PlanarImage, sums: UnsafeMutablePointer<Int32>) {
    let width = source.size.width
    let chromaSize = source.sampling.chromaSize(source.size)
    if source.sampling.isMonochrome {
      for x in 0..<width { sums[x] = lumaOffset }
      for row in 0..<source.size.height {
        lumaRow(source.planes[0].row(row), destination.planes[0].row(row), sums, width, 1)
      }
      return
    }
    for row in 0..<chromaSize.height {
      let (cb, cr) = (source.planes[1].row(row), source.planes[2].row(row))
      for x in 0..<chromaSize.width {
        let (u, v) = (Int32(cb[x]) &- 128, Int32(cr[x]) &- 128)
        sums[x] = u &* lumaFromCb &+ v &* lumaFromCr &+ lumaOffset
      }
      let first = row * source.sampling.vertical
      for line in first..<min(first + source.sampling.vertical, source.size.height) {
        lumaRow(
          source.planes[0].row(line), destination.planes[0].row(line), sums, width, source.sampling.horizontal
        )
      }
      chromaRow(cb, cr, destination.planes[1].row(row), destination.planes[2].row(row), chromaSize.width)
    }
  }

  private func lumaRow(
    _ source: UnsafePointer<UInt8>, _ destination: UnsafeMutablePointer<UInt8>, _ sums: UnsafePointer<Int32>,
    _ width: Int, _ horizontal: Int
  ) {
    guard horizontal == 2 else {
      for x in 0..<width {
        destination[x] = clampedToByte((Int32(source[x]) &* luma &+ sums[x / horizontal]) &>> 16)
      }
      return
    }
    for pair in 0..<(width &>> 1) {
      let sum = sums[pair]
      destination[2 &* pair] = clampedToByte((Int32(source[2 &* pair]) &* luma &+ sum) &>> 16)
      destination[2 &* pair &+ 1] = clampedToByte((Int32(source[2 &* pair &+ 1]) &* luma &+ sum) &>> 16)
    }
    guard width & 1 == 1 else { return }
    destination[width - 1] = clampedToByte((Int32(source[width - 1]) &* luma &+ sums[width / 2]) &>> 16)
  }

  private func chromaRow(
    _ cb: UnsafePointer<UInt8>, _ cr: UnsafePointer<UInt8>, _ newCb: UnsafeMutablePointer<UInt8>,
    _ newCr: UnsafeMutablePointer<UInt8>, _ width: Int
  ) {
    let zero: Int32 = (128 << 16) + 32768
    for x in 0..<width {
      let (u, v) = (Int32(cb[x]) &- 128, Int32(cr[x]) &- 128)
      newCb[x] = clampedToByte((u &* cbFromCb &+ v &* cbFromCr &+ zero) &>> 16)
      newCr[x] = clampedToByte((u &* crFromCb &+ v &* crFromCr &+ zero) &>> 16)
    }
  }
}
