import Capture
import Display
import Imagery
import Probes
import System

/// A screen that shows one code after another.
struct CodeShow {
  let surface: DisplaySurface
  /// Nil for no end.
  let limit: Int?
  /// A camera of 20 pictures a second or more sees each code whole, also where its shutter is open for half of that.
  private static let pace = Duration.milliseconds(100)

  /// - Returns: how many codes were shown when it was to end, or when the screen could show nothing any more.
  func run(until isOver: @escaping @Sendable () -> Bool) async -> Int {
    let count = Locked(0)
    await NamedThread.aside(name: "codes") { [surface, limit] in
      var before: MonotonicTime?
      for number in 0..<(limit ?? .max) {
        guard !isOver() else { return }
        if let before { Self.wait(until: before + Self.pace, surface.mode.refreshInterval) }
        guard let flip = Self.show(number, before, surface: surface) else { return }
        before = flip.vblankTime
        count.withLock { $0 += 1 }
      }
    }
    return count.withLock { $0 }
  }

  private static func show(_ number: Int, _ before: MonotonicTime?, surface: DisplaySurface) -> Flip? {
    guard let picture = surface.makeBuffer() else { return nil }
    let code = GlassCode(number: number % GlassCode.period, before: before.map { $0.nanoseconds / 1000 })
    code.draw(into: picture)
    return surface.show(picture)
  }

  /// Until so long before that time that the picture can be drawn and is shown at the vblank next to it.
  private static func wait(until time: MonotonicTime, _ refreshInterval: Duration) {
    guard let wake = try? WakeSignal() else { return }
    _ = SystemClock().wait(until: time + (.zero - refreshInterval), wake: wake)
  }
}
