/// Applies looks to pictures on two threads (`BandSharing`). One thread at a time.
final class LookPainter {
  /// A picture whose bands get a look.
  ///
  /// `@unchecked Sendable`: bands do not overlap, and `apply` returns only when the last is done, so the memory outlives the work and
  /// nobody else accesses it meanwhile.
  private struct Picture: BandWork, @unchecked Sendable {
    let look: ColorLookup
    let pixels: PackedPixels
    let size: PixelSize
    let bands: RowBands

    func perform(_ band: Int, on thread: BandThread) {
      let rows = bands[band]
      look.apply(to: pixels.from(x: 0, y: rows.lowerBound), PixelSize(width: size.width, height: rows.count))
    }
  }

  private let sharing = BandSharing<Picture>(name: "look")
  private static let bandRows = 32
  /// The least area, in pixels, for two threads. A smaller picture is finished before a second thread wakes.
  static let leastArea = 200_000

  /// Applies a look to full-range pixels in place; alpha stays.
  func apply(_ look: ColorLookup, to pixels: PackedPixels, _ size: PixelSize) {
    guard size.area >= Self.leastArea else { return look.apply(to: pixels, size) }
    let bands = RowBands(size.height, rows: Self.bandRows)
    sharing.run(Picture(look: look, pixels: pixels, size: size, bands: bands), count: bands.count)
  }

  /// Ends the helper thread; the next large picture starts another. Must not be called while `apply` runs.
  func rest() { sharing.rest() }
}
