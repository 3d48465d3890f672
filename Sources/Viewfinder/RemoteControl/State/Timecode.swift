/// A time-code without drop frames: hours, minutes, seconds and frames, such as `00:01:07:12`.
package struct Timecode: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Parameters:
  ///   - seconds: the time since the beginning. A negative or non-finite number counts as 0; the maximum is 99:59:59.
  ///   - rate: frames per second, 1 to 1000; a lower rate counts as 1.
  package init(seconds: Double, rate: Double) {
    let seconds = seconds.isFinite ? min(max(seconds, 0), 359_999) : 0
    let rate = rate.isFinite ? min(max(rate, 1), 1000) : 1
    let whole = Int(seconds)
    let frame = min(Int((seconds - Double(whole)) * rate + 1e-6), Int(rate.rounded(.up)) - 1)
    description = [whole / 3600, whole / 60 % 60, whole % 60, frame].map(Self.twoDigits).joined(
      separator: ":")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
