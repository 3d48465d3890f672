/// Interprets a device's 32-bit frame counter: lost frames, repeated numbers, a restart.
public struct SequenceTracker: Hashable, Sendable {
  /// The relation of a number to the previous one.
  public enum Step: Hashable, Sendable {
    /// There was no previous frame.
    case first
    /// The number follows the previous one.
    case next
    /// The device lost this number of frames.
    case gap(lost: UInt32)
    /// The number equals the previous one. vivid's HDMI input repeats 0, and so did v4l2loopback for frames
    /// that were written through `mmap` (https://github.com/v4l2loopback/v4l2loopback/issues/466).
    case repeated
    /// The counter went back: the driver restarted it.
    case restarted
  }

  private var last: UInt32?

  /// Creates a tracker without a previous number.
  public init() {}

  /// Counters wrap from 2³² − 1 to 0; a step of less than 2³¹ is forward, any other backward (RFC 1982 arithmetic).
  /// Do not pass damaged buffers: their number has no meaning.
  public mutating func advance(to sequence: UInt32) -> Step {
    defer { last = sequence }
    guard let last else { return .first }
    switch sequence &- last {
    case 0: return .repeated
    case 1: return .next
    case let step where step < 1 << 31: return .gap(lost: step - 1)
    default: return .restarted
    }
  }

  /// Forgets the previous number; call it when the stream starts anew.
  public mutating func reset() { last = nil }
}
