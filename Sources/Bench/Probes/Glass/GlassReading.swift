import Imagery
package import System

/// The latency of a camera's pictures, computed from the codes that it saw on a screen.
package struct GlassReading: Sendable {
  /// A presented picture.
  package struct Seen: Sendable {
    package let presentedTime: MonotonicTime
    /// The code. Nil if none could be read: the picture shows two codes mixed, or none.
    package let code: GlassCode?

    package init(presentedTime: MonotonicTime, code: GlassCode?) {
      self.presentedTime = presentedTime
      self.code = code
    }
  }

  /// Milliseconds from a number's vblank to the first presented picture with it, one for each number whose successor was seen too.
  package let latencies: [Double]
  /// Number of pictures without a code.
  package let unread: Int
  package let pictures: Int

  /// - Parameter seen: the pictures, in order.
  package init(_ seen: [Seen]) {
    var first: [Int: MonotonicTime] = [:]
    var shown: [Int: Int64] = [:]
    for picture in seen {
      guard let code = picture.code else { continue }
      if first[code.number] == nil { first[code.number] = picture.presentedTime }
      if let before = code.before { shown[(code.number + GlassCode.period - 1) % GlassCode.period] = before }
    }
    // The number that was on screen when the camera began had been shown for longer.
    let earliest = seen.first { $0.code != nil }?.code?.number
    latencies = first.filter { $0.key != earliest }.sorted { $0.value < $1.value }.compactMap {
      number, time in
      shown[number].map { (time - MonotonicTime(nanoseconds: $0 * 1000)).milliseconds }
    }
    unread = seen.count(where: { $0.code == nil })
    pictures = seen.count
  }

  /// Whether the screen belongs to another machine with another clock: numbers were seen before they were shown, or long after.
  package var isOfAnotherClock: Bool { latencies.contains { $0 < 0 || $0 > 10_000 } }
}
