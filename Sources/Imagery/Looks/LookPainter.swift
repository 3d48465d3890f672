import Glibc
import Locking

/// Gives pictures a look on two threads: the caller's, and one more that begins with the first large picture and ends with this object or with
/// `rest()`. Both take bands of rows as long as there are any, so that a helper which gets no processor holds nothing up but its own band. One
/// thread at a time.
final class LookPainter {
  /// Part of a picture.
  ///
  /// `@unchecked Sendable`: bands do not overlap, and `apply` returns only when the last is done, so that the memory outlives the work and
  /// nobody else looks at it meanwhile.
  private struct Picture: @unchecked Sendable {
    let look: ColorLookup
    let pixels: PackedPixels
    let size: PixelSize

    func paint(_ rows: Range<Int>) {
      look.apply(to: pixels.from(x: 0, y: rows.lowerBound), PixelSize(width: size.width, height: rows.count))
    }
  }

  private struct State: Sendable {
    var picture: Picture?
    var nextRow = 0
    /// The helper works on a band.
    var isHelping = false
    var isEnding = false
  }

  private enum Order {
    case band(Picture, Range<Int>)
    case end
  }

  private let state = Locked(State())
  private var helper: NamedThread?
  private let hasProcessors = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
  private static let bandRows = 32
  /// Smaller pictures are done sooner than a thread wakes.
  static let leastArea = 200_000

  deinit { rest() }

  /// Full-range pixels, in place; alpha stays.
  func apply(_ look: ColorLookup, to pixels: PackedPixels, _ size: PixelSize) {
    guard size.area >= Self.leastArea, hasProcessors, hasHelper() else {
      return look.apply(to: pixels, size)
    }
    let picture = Picture(look: look, pixels: pixels, size: size)
    state.withLock { ($0.picture, $0.nextRow) = (picture, 0) }
    state.notify()
    while let rows = state.withLock({ Self.takeBand(&$0) }) { picture.paint(rows) }
    state.wait { $0.isHelping ? nil : () }
  }

  /// Ends the helper; the next large picture begins another. Not while `apply` runs.
  func rest() {
    guard let helper else { return }
    state.withLock { $0.isEnding = true }
    state.notify()
    helper.join()
    self.helper = nil
    state.withLock { $0.isEnding = false }
  }

  /// A process that may have no more threads does the work on one. The helper is as urgent as its caller, a preview or a recording: Linux
  /// gives a thread the scheduling of the one that begins it.
  private func hasHelper() -> Bool {
    if helper != nil { return true }
    let state = state
    helper = try? NamedThread(name: "look") {
      while case .band(let picture, let rows) = Self.wait(state) {
        picture.paint(rows)
        state.withLock { $0.isHelping = false }
        state.notify()
      }
    }
    return helper != nil
  }

  private static func wait(_ state: Locked<State>) -> Order {
    state.wait { state in
      if state.isEnding { return .end }
      guard let picture = state.picture, let rows = takeBand(&state) else { return nil }
      state.isHelping = true
      return .band(picture, rows)
    }
  }

  /// Nil, and the picture forgotten, when no row is left.
  private static func takeBand(_ state: inout State) -> Range<Int>? {
    guard let picture = state.picture, state.nextRow < picture.size.height else {
      state.picture = nil
      return nil
    }
    let end = min(state.nextRow + bandRows, picture.size.height)
    defer { state.nextRow = end }
    return state.nextRow..<end
  }
}
