import System

/// Frames that came to nothing, as ``CaptureSession/drops()`` tells them: where, why, and how many by now.
public struct FrameDrop: Hashable, Sendable {
  /// Why frames came to nothing. More reasons may be added.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable {
    /// Its name in reports, such as `late`.
    public let rawValue: String

    /// A reason that was read; the engine itself gives those below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The output was still busy, and a newer frame took the place of this one.
    public static let late = Reason(rawValue: "late")
    /// The output could not decode it, or its compressed data are cut short: nothing of it is shown. ``FrameDrop/detail`` says what is wrong.
    public static let undecodable = Reason(rawValue: "undecodable")
    /// The surface gave no memory for the picture, or there was none to be had.
    public static let outOfBuffers = Reason(rawValue: "outOfBuffers")
    /// The device lost it: its numbers have a gap.
    public static let lost = Reason(rawValue: "lost")
    /// The device delivered it without a usable picture.
    public static let damaged = Reason(rawValue: "damaged")
    /// The session kept it from the output, because a still of another size was taken (``StreamGap``).
    public static let withheld = Reason(rawValue: "withheld")
  }

  /// Which output it was; nil when the frame reached none, since the device lost or damaged it. Compare it with
  /// `ObjectIdentifier(output)`.
  public let output: ObjectIdentifier?
  /// What the output is, for a person, such as `PreviewOutput`; `camera` where `output` is nil.
  public let name: String
  /// Why they came to nothing.
  public let reason: Reason
  /// Frames dropped there for this reason since the session was made, or the output added.
  public internal(set) var count = 0
  /// More of the latest of them, for a person; may be empty. What a device said is printable and bounded.
  public internal(set) var detail = ""
}

/// Counts dropped frames, for each output and reason.
final class DropLedger: Sendable {
  private struct Place: Hashable {
    var output: ObjectIdentifier?
    var reason: FrameDrop.Reason
  }

  private let counts = Locked<[Place: FrameDrop]>([:])
  private let news = Broadcast<FrameDrop>()

  /// May be called on the capture thread: never blocks.
  func note(
    _ reason: FrameDrop.Reason, at output: ObjectIdentifier? = nil, named name: String = "camera",
    count: Int = 1,
    detail: String = ""
  ) {
    counts.withLock { counts in
      let place = Place(output: output, reason: reason)
      var drop = counts[place] ?? FrameDrop(output: output, name: name, reason: reason)
      drop.count += count
      drop.detail = detail
      counts[place] = drop
      // In the lock, so that no stream ends with an older count.
      news.tell(drop)
    }
  }

  /// An output that is removed takes its counts with it: another may get its identity.
  func forget(_ output: ObjectIdentifier) {
    counts.withLock { counts in counts = counts.filter { $0.key.output != output } }
  }

  func listen() -> AsyncStream<FrameDrop> {
    counts.withLock { counts in news.listen(from: Array(counts.values)) }
  }

  func finish() { news.finish() }
}
