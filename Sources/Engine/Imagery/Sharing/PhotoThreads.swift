import System

/// The two threads of a photo: the steps of its way take bands of rows each. The second is used where a processor is left for it: of two photos
/// that are made at once on two processors, each has one. One thread at a time.
final class PhotoThreads {
  enum Use: Sendable {
    /// As long as there are two processors for each photo that is being made.
    case whenIdle
    /// For tests, whatever else the process does.
    case always
    case never
  }

  /// What a band does, for as long as `share` runs: the closure must not be held when it returns, though the helper may still hold this object.
  ///
  /// `@unchecked Sendable`: bands write to memory of their own, and `share` lets go of the closure only when the last band is done, so that what
  /// it holds outlives the work and nobody else looks at it meanwhile.
  private final class Step: BandWork, @unchecked Sendable {
    private var body: ((Int, BandThread) -> Void)?

    init(_ body: @escaping (Int, BandThread) -> Void) { self.body = body }

    // Not inlined: the closure is let go before the band counts as done.
    @inline(never)
    func perform(_ band: Int, on thread: BandThread) { body?(band, thread) }

    func forget() { body = nil }
  }

  /// How many photos the process is making.
  private static let underWay = Locked(0)
  /// Of rows and codes less is done for less processor time by one thread: what one has written lies in its own processor's cache. Measured by
  /// `photo.floor`: shared from 100,000 on, 12 megapixels of NV12 took 1.0 times the C's time in place of 0.9, 1080p of YUYV 1.2 in place of 1.06.
  static let leastArea = 4_000_000
  /// Of a picture whose intervals are decoded by themselves; less is done sooner than a thread wakes.
  static let leastDecodedArea = 100_000

  private let use: Use
  private lazy var sharing = BandSharing<Step>(name: "photo-band")
  private var hasBegun = false

  init(_ use: Use) { self.use = use }

  /// Counts a photo, as long as `body` makes it.
  func makingPhoto<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
    Self.underWay.withLock { $0 += 1 }
    defer { Self.underWay.withLock { $0 -= 1 } }
    return try body()
  }

  /// Whether work of so many samples is done by both threads now.
  func share(area: Int, least: Int = leastArea) -> Bool {
    switch use {
    case .never: false
    case .always: true
    case .whenIdle: area >= least && Self.underWay.withLock { $0 * 2 <= Processors.online }
    }
  }

  /// Does bands 0 … `count` − 1, each once, in any order, and returns when the last is done. Where one thread does them it takes no memory.
  /// - Parameters:
  ///   - area: how many samples it is about.
  ///   - least: with fewer, one thread does it all.
  func share(
    _ count: Int, area: Int, least: Int = leastArea, _ body: (_ band: Int, _ thread: BandThread) -> Void
  ) {
    guard count > 1, share(area: area, least: least) else {
      for band in 0..<count { body(band, .caller) }
      return
    }
    hasBegun = true
    withoutActuallyEscaping(body) { body in
      let step = Step(body)
      sharing.run(step, count: count)
      step.forget()
    }
  }

  /// Processor time of the second thread so far.
  var helped: Duration { hasBegun ? sharing.helped : .zero }

  /// Ends the second thread; the next work begins another.
  func rest() { if hasBegun { sharing.rest() } }
}

/// Rows in bands.
struct RowBands {
  let height: Int
  let rows: Int

  /// - Parameter rows: of each band, but the last.
  init(_ height: Int, rows: Int) { (self.height, self.rows) = (height, max(1, rows)) }

  var count: Int { (height + rows - 1) / rows }

  subscript(band: Int) -> Range<Int> { band * rows..<min((band + 1) * rows, height) }
}
