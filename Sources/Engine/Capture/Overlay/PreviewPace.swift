public import System

/// The rate and the latency of a preview's pictures over the last second.
///
/// ```swift
/// let pace = PreviewPace()
/// let preview = PreviewOutput(surface: surface) { pace.note($0) }
/// let overlay = await DebugOverlay(
///   format: session.format, controls: session.controls, pace: pace.reading(at: .now()))
/// ```
public final class PreviewPace: Sendable {
  /// The pace in one second.
  public struct Reading: Hashable, Sendable {
    /// The number of pictures shown a second.
    public var framesPerSecond: Double
    /// The longest time from an exposure to the surface.
    public var slowest: Duration
  }

  private struct Picture {
    var shown: MonotonicTime
    var latency: Duration
  }

  private let pictures = Locked<[Picture]>([])
  /// The largest number of pictures to keep. No display shows more in a second.
  private static let most = 480

  /// Creates a pace without pictures.
  public init() {}

  /// Notes a shown picture. Call it from `onPresented` of a ``PreviewOutput``.
  public func note(_ picture: PresentedPicture) {
    note(shown: picture.presentedTime, exposed: picture.frame.exposureTime)
  }

  package func note(shown: MonotonicTime, exposed: MonotonicTime) {
    pictures.withLock { pictures in
      pictures.append(Picture(shown: shown, latency: shown - exposed))
      let start = shown + .seconds(-1)
      let old = pictures.prefix { $0.shown < start }.count
      pictures.removeFirst(max(old, pictures.count - Self.most))
    }
  }

  /// - Parameter now: on the clock of the session.
  /// - Returns: nil if fewer than two pictures were shown in the last second.
  public func reading(at now: MonotonicTime) -> Reading? {
    pictures.withLock { pictures in
      let recent = pictures.drop { $0.shown < now + .seconds(-1) }
      guard let first = recent.first, let last = recent.last, recent.count > 1, last.shown > first.shown,
        let slowest = recent.map(\.latency).max()
      else { return nil }
      let seconds = (last.shown - first.shown).milliseconds / 1000
      return Reading(framesPerSecond: Double(recent.count - 1) / seconds, slowest: slowest)
    }
  }
}
