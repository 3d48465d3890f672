/// A time-code without drop frames: hours, minutes, seconds and frames, such as `00:01:07:12`.
package struct Timecode: Hashable, Sendable, CustomStringConvertible {
  package let description: String

  /// - Parameters:
  ///   - seconds: since the beginning; what is negative or no number counts as 0, more than 99 hours as that.
  ///   - rate: frames a second; below 1 counts as 1.
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
