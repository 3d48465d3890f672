/// Reads a device's 32-bit frame counter for what it says: frames lost, repeated numbers, a restart.
public struct SequenceTracker: Hashable, Sendable {
  /// What one number says after the one before it.
  public enum Step: Hashable, Sendable {
    /// There was no frame before it.
    case first
    /// It follows the one before it.
    case next
    /// The device lost so many frames.
    case gap(lost: UInt32)
    /// The same number again: vivid's HDMI input repeats 0, as v4l2loopback did of what was written by `mmap`
    /// (https://github.com/v4l2loopback/v4l2loopback/issues/466).
    case repeated
    /// The counter went back: the driver restarted it.
    case restarted
  }

  private var last: UInt32?

  /// Nothing has been counted.
  public init() {}

  /// Counters wrap from 2³² − 1 to 0; a step of less than 2³¹ is forward, any other backward (RFC 1982 arithmetic).
  /// Do not feed damaged buffers: their number means nothing.
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

  /// Forgets: after a new start of the stream.
  public mutating func reset() { last = nil }
}
