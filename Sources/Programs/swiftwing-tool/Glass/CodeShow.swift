import Capture
import Display
import Imagery
import Probes
import System

/// Shows a sequence of codes on a screen.
struct CodeShow {
  let surface: DisplaySurface
  /// The number of codes after which it ends; nil for no end.
  let limit: Int?
  /// The time between codes. A camera of at least 20 pictures a second sees each code whole, even if its shutter is open for half
  /// of the time.
  private static let pace = Duration.milliseconds(100)

  /// Shows the codes.
  /// - Returns: the number of codes shown until the end, or until the screen failed.
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

  /// Waits until one refresh interval before `time`, so that the picture is drawn and shown at the nearest vblank.
  private static func wait(until time: MonotonicTime, _ refreshInterval: Duration) {
    guard let wake = try? WakeSignal() else { return }
    _ = SystemClock().wait(until: time + (.zero - refreshInterval), wake: wake)
  }
}
