package import Capture
import Imagery
package import System

/// A surface that shows each picture late, on the engine's clock.
final class LateSurface: PreviewSurface {
  private let base: any PreviewSurface
  private let clock: any CaptureClock
  private let delay: @Sendable (_ frame: FrameFacts, _ now: MonotonicTime) -> Duration
  /// Nil if the process has no descriptor left; then no session starts either.
  private let wake = try? WakeSignal()
  private let hurries = Locked(false)

  init(
    base: any PreviewSurface, clock: any CaptureClock,
    delay: @escaping @Sendable (_ frame: FrameFacts, _ now: MonotonicTime) -> Duration
  ) {
    self.base = base
    self.clock = clock
    self.delay = delay
  }

  /// Returns a surface that shows half of the pictures, without a pattern, three tenths of a frame interval late. No frame is overtaken by
  /// this delay, and no limit on latency is missed.
  static func unsteady(_ base: any PreviewSurface, interval: Duration, clock: any CaptureClock) -> LateSurface
  {
    LateSurface(base: base, clock: clock) { frame, _ in
      // A bit of a hash of the number: it looks random, and is the same in every run.
      var mixed = frame.sequence &* 2_654_435_761
      mixed = (mixed ^ (mixed >> 15)) &* 2_246_822_519
      return mixed >> 31 == 0 ? .zero : interval * 3 / 10
    }
  }

  func makeBuffer() -> PixelBuffer? { base.makeBuffer() }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    let now = clock.now()
    let late = delay(frame, now)
    if late > .zero, let wake, !hurries.withLock({ $0 }) { clock.pauseWork(until: now + late, wake: wake) }
    return base.present(image, frame: frame)
  }

  fileprivate func hurry() {
    hurries.withLock { $0 = true }
    wake?.signal()
  }
}

extension PreviewSurface {
  /// Ends the deliberate delays. Call it before a session in virtual time is stopped: stopping waits for the current picture, and nobody advances the
  /// time any more.
  package func hurry() { (self as? LateSurface)?.hurry() }
}

/// A surface that makes the preview use more of its own processor time, like a slower engine: the time that the preview's thread spends from
/// requesting a picture's memory to showing it is extended by a percentage.
final class SlowSurface: PreviewSurface {
  private let base: any PreviewSurface
  private let percent: Int
  private let burn: ProcessorBurn
  /// Processor time of the preview's thread when it requested the memory.
  private let began = Locked(Duration.zero)

  init(base: any PreviewSurface, percent: Int, burn: ProcessorBurn = ProcessorBurn()) {
    self.base = base
    self.percent = percent
    self.burn = burn
  }

  func makeBuffer() -> PixelBuffer? {
    began.withLock { $0 = burn.now() }
    return base.makeBuffer()
  }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    burn.take(percent, since: began.withLock { $0 })
    return base.present(image, frame: frame)
  }
}

/// A surface that drops some of its pictures.
final class FreezingSurface: PreviewSurface {
  private let base: any PreviewSurface
  private let frozen: Range<Int>
  private let count = Locked(0)

  /// - Parameter frozen: the dropped pictures, counted from 0.
  init(base: any PreviewSurface, frozen: Range<Int>) {
    self.base = base
    self.frozen = frozen
  }

  func makeBuffer() -> PixelBuffer? {
    let number = count.withLock { count in
      defer { count += 1 }
      return count
    }
    return frozen.contains(number) ? nil : base.makeBuffer()
  }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    base.present(image, frame: frame)
  }
}

/// A surface that has every tenth picture drawn into the memory that it is showing.
final class TearingSurface: PreviewSurface {
  private let base: any PreviewSurface
  private let state = Locked<(count: Int, shown: PixelBuffer?)>((0, nil))

  init(base: any PreviewSurface) { self.base = base }

  func makeBuffer() -> PixelBuffer? {
    let shown = state.withLock { state in
      state.count += 1
      return state.count.isMultiple(of: 10) ? state.shown : nil
    }
    return shown ?? base.makeBuffer()
  }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    state.withLock { $0.shown = image }
    return base.present(image, frame: frame)
  }
}

/// A surface that exchanges red and blue.
final class SwappingSurface: PreviewSurface {
  private let base: any PreviewSurface

  init(base: any PreviewSurface) { self.base = base }

  func makeBuffer() -> PixelBuffer? { base.makeBuffer() }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    let plane = image.planes[0]
    for row in 0..<image.format.size.height {
      let pixels = (plane.base + row * plane.bytesPerRow).assumingMemoryBound(to: UInt32.self)
      for x in 0..<image.format.size.width {
        let pixel = pixels[x]
        pixels[x] = (pixel & 0xFF00_FF00) | ((pixel & 0xFF) << 16) | ((pixel >> 16) & 0xFF)
      }
    }
    return base.present(image, frame: frame)
  }
}

/// A surface that turns each picture from the preview's angle to the device's angle, like a screen that follows the device.
final class TurningSurface: PreviewSurface {
  private let base: any PreviewSurface
  private let pool = PixelBufferPool()

  init(base: any PreviewSurface) { self.base = base }

  func makeBuffer() -> PixelBuffer? { base.makeBuffer() }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    let turn = frame.orientation.preview.inverse.followed(by: frame.orientation.capture)
    if turn.rotation != .none, !turn.isMirrored, let drawn = try? pool.makeCopy(of: image) {
      try? PreviewRenderer().render(drawn, orientation: turn, into: image)
    }
    return base.present(image, frame: frame)
  }
}

extension FrameFacts {
  /// Returns the time at which the content of the picture became visible: the start of its exposure.
  package func sceneTime(interval: Duration) -> MonotonicTime { exposureTime }
}
