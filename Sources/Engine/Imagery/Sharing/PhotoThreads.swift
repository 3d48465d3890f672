import System

/// The two threads of a photo, which process bands of rows in each step. The second thread is used while a processor is free
/// for it: if two photos are made at once on two processors, each photo uses one processor. One thread at a time.
final class PhotoThreads {
  enum Use: Sendable {
    /// As long as there are two processors for each photo under way.
    case whenIdle
    /// For tests: always, whatever else the process does.
    case always
    case never
  }

  /// The work on a band, while `share` runs: the closure must not be held after it returns, though the helper may still hold this object.
  ///
  /// `@unchecked Sendable`: bands write to memory of their own, and `share` releases the closure only when the last band is done, so the memory that
  /// it refers to outlives the work and nobody else accesses it meanwhile.
  private final class Step: BandWork, @unchecked Sendable {
    private var body: ((Int, BandThread) -> Void)?

    init(_ body: @escaping (Int, BandThread) -> Void) { self.body = body }

    // Not inlined, so that the closure is released before the band counts as done.
    @inline(never)
    func perform(_ band: Int, on thread: BandThread) { body?(band, thread) }

    func forget() { body = nil }
  }

  /// The number of photos that the process is making.
  private static let underWay = Locked(0)
  /// The least number of samples for sharing rows and codes. Below it, one thread needs less processor time, because its
  /// data are in its own processor's cache. Measured by `photo.floor`: with a limit of 100,000, 12 megapixels of NV12 took
  /// 1.0 times the time of the C floor instead of 0.9, and 1080p of YUYV 1.2 times instead of 1.06.
  static let leastArea = 4_000_000
  /// The least area for sharing the decoding of restart intervals; a smaller picture is finished before a second thread wakes.
  static let leastDecodedArea = 100_000

  private let use: Use
  private lazy var sharing = BandSharing<Step>(name: "photo-band")
  private var hasBegun = false

  init(_ use: Use) { self.use = use }

  /// Counts a photo as under way while `body` makes it.
  func makingPhoto<Result>(_ body: () throws(ImageError) -> Result) throws(ImageError) -> Result {
    Self.underWay.withLock { $0 += 1 }
    defer { Self.underWay.withLock { $0 -= 1 } }
    return try body()
  }

  /// Whether both threads process work of `area` samples now.
  func share(area: Int, least: Int = leastArea) -> Bool {
    switch use {
    case .never: false
    case .always: true
    case .whenIdle: area >= least && Self.underWay.withLock { $0 * 2 <= Processors.online }
    }
  }

  /// Processes bands 0 … `count` − 1, each once, in any order, and returns when the last is done. With one thread it allocates nothing.
  /// - Parameters:
  ///   - area: the number of samples to process.
  ///   - least: with fewer samples, one thread does all.
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

  /// The processor time of the second thread so far.
  var helped: Duration { hasBegun ? sharing.helped : .zero }

  /// Ends the second thread; the next work starts another.
  func rest() { if hasBegun { sharing.rest() } }
}

/// A split of rows into bands.
struct RowBands {
  let height: Int
  let rows: Int

  /// - Parameter rows: the number of rows of each band except the last.
  init(_ height: Int, rows: Int) { (self.height, self.rows) = (height, max(1, rows)) }

  var count: Int { (height + rows - 1) / rows }

  subscript(band: Int) -> Range<Int> { band * rows..<min((band + 1) * rows, height) }
}
