import Capture
import Glibc
import Imagery

/// A surface that shows each picture late by a share of the time it had taken so far.
final class SlowSurface: PreviewSurface {
  private let base: OffscreenSurface
  private let percent: Int
  private let interval: Duration

  init(base: OffscreenSurface, percent: Int, interval: Duration) {
    self.base = base
    self.percent = percent
    self.interval = interval
  }

  func makeBuffer() -> PixelBuffer? { base.makeBuffer() }

  func present(_ image: PixelBuffer, frame: FrameFacts) -> MonotonicTime {
    let elapsed = MonotonicTime.now() - frame.sceneTime(interval: interval)
    var remaining = timespec(
      tv_sec: 0, tv_nsec: Int(min(elapsed.nanoseconds * Int64(percent) / 100, 999_999_999)))
    nanosleep(&remaining, nil)
    return base.present(image, frame: frame)
  }
}

extension FrameFacts {
  /// When what the picture shows began to be seen: the start of its exposure.
  func sceneTime(interval: Duration) -> MonotonicTime {
    exposureEdge == .startOfExposure
      ? exposureTime : MonotonicTime(nanoseconds: exposureTime.nanoseconds - interval.nanoseconds)
  }
}
