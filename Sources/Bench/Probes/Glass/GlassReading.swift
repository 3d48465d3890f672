import Imagery
package import System

/// From what a camera saw of a screen, to how late its pictures were.
package struct GlassReading: Sendable {
  /// A picture that was presented.
  package struct Seen: Sendable {
    package let presentedTime: MonotonicTime
    /// Nil where no code could be read: a picture in which two codes are mixed, or none is.
    package let code: GlassCode?

    package init(presentedTime: MonotonicTime, code: GlassCode?) {
      self.presentedTime = presentedTime
      self.code = code
    }
  }

  /// From a number's vblank to the first picture with it that was presented, in ms, one a number whose successor was seen too.
  package let latencies: [Double]
  /// Pictures without a code.
  package let unread: Int
  package let pictures: Int

  /// - Parameter seen: in order.
  package init(_ seen: [Seen]) {
    var first: [Int: MonotonicTime] = [:]
    var shown: [Int: Int64] = [:]
    for picture in seen {
      guard let code = picture.code else { continue }
      if first[code.number] == nil { first[code.number] = picture.presentedTime }
      if let before = code.before { shown[(code.number + GlassCode.period - 1) % GlassCode.period] = before }
    }
    // The one that was shown when the camera began had been there for longer.
    let earliest = seen.first { $0.code != nil }?.code?.number
    latencies = first.filter { $0.key != earliest }.sorted { $0.value < $1.value }.compactMap {
      number, time in
      shown[number].map { (time - MonotonicTime(nanoseconds: $0 * 1000)).milliseconds }
    }
    unread = seen.count(where: { $0.code == nil })
    pictures = seen.count
  }

  /// The screen is another machine's, whose clock is another: what is seen was shown in the future, or long ago.
  package var isOfAnotherClock: Bool { latencies.contains { $0 < 0 || $0 > 10_000 } }
}
