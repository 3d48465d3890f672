import CPixelMath

/// Converts codes of one colour description to codes of another, at 8 bits in 14-bit fixed point, without RGB
/// pixels in between. Chroma depends only on chroma; luma also depends on chroma if the matrices differ.
struct Recolor {
  private let luma: Int16
  private let lumaOffset: Int32
  private let (lumaFromCb, lumaFromCr): (Int16, Int16)
  private let (cbFromCb, cbFromCr, crFromCb, crFromCr): (Int16, Int16, Int16, Int16)

  init(from source: ColorDescription, to destination: ColorDescription) {
    let (a, b) = (YCbCrMatrix(source), YCbCrMatrix(destination))
    // All values are below 2, so 14 bits of fraction fit.
    let unit = { (value: Double) in Int16((value * 16384).rounded()) }
    // The destination's luma per unit of the source's chroma, both in −0.5...0.5.
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
  ///   - destination: planes of the same shape as the source's, but not the same planes.
  ///   - threads: the threads that process bands of rows.
  ///   - scratch: memory for these threads.
  func apply(
    _ source: PlanarImage, into destination: PlanarImage, threads: PhotoThreads, _ scratch: BandScratch
  ) throws(ImageError) {
    let bands = RowBands(source.size.height, rows: 64)
    // Chroma of the last column may cover up to three samples beyond it.
    let memory = try scratch.reserve((source.size.width + 16) * MemoryLayout<Int32>.stride)
    threads.share(bands.count, area: source.size.area) { band, thread in
      let offsets = memory.of(thread).assumingMemoryBound(to: Int32.self)
      self.apply(source, into: destination, rows: bands[band], offsets)
    }
  }

  /// - Parameter rows: rows of luma; the first must also be the first row of a chroma sample.
  private func apply(
    _ source: PlanarImage, into destination: PlanarImage, rows: Range<Int>,
    _ offsets: UnsafeMutablePointer<Int32>
  ) {
    let (width, vertical) = (source.size.width, source.sampling.vertical)
    let mixesChroma = !source.sampling.isMonochrome && (lumaFromCb != 0 || lumaFromCr != 0)
    for x in 0..<width { offsets[x] = lumaOffset }
    for row in rows {
      if mixesChroma, row % vertical == 0 { chromaOffsets(source, row / vertical, offsets: offsets) }
      cpixel_recolor_luma(
        source.planes[0].row(row), destination.planes[0].row(row), offsets, luma, Int32(width), false)
    }
    guard !source.sampling.isMonochrome else { return }
    let chromaWidth = source.planeSize(1).width
    for row in rows.lowerBound / vertical..<(rows.upperBound + vertical - 1) / vertical {
      let (cb, cr) = (source.planes[1].row(row), source.planes[2].row(row))
      cpixel_recolor_chroma(
        cb, cr, destination.planes[1].row(row), cbFromCb, cbFromCr, Int32(chromaWidth), false)
      cpixel_recolor_chroma(
        cb, cr, destination.planes[2].row(row), crFromCb, crFromCr, Int32(chromaWidth), false)
    }
  }

  /// Computes the contribution of chroma to each luma sample of a row.
  private func chromaOffsets(_ source: PlanarImage, _ row: Int, offsets: UnsafeMutablePointer<Int32>) {
    let (cb, cr) = (source.planes[1].row(row), source.planes[2].row(row))
    let repeats = source.sampling.horizontal
    for x in 0..<source.planeSize(1).width {
      let (u, v) = (Int32(cb[x]) &- 128, Int32(cr[x]) &- 128)
      let offset = (u &* Int32(lumaFromCb) &+ v &* Int32(lumaFromCr)) &+ lumaOffset
      for place in 0..<repeats { offsets[x &* repeats &+ place] = offset }
    }
  }
}
