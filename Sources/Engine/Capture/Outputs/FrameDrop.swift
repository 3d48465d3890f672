import System

/// Frames that were dropped, as ``CaptureSession/drops()`` reports them: the output, the reason, and the count so far.
public struct FrameDrop: Hashable, Sendable {
  /// The reason why frames were dropped. Later versions may add reasons.
  public struct Reason: RawRepresentable, Hashable, Sendable, Codable {
    /// The name in reports, such as `late`.
    public let rawValue: String

    /// Creates a reason from its name, when it is decoded. The engine itself uses only the constants below.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The output was still busy, and a newer frame replaced this one.
    public static let late = Reason(rawValue: "late")
    /// The output could not decode the frame, or its compressed data are cut short, so nothing of it is shown. ``FrameDrop/detail`` gives the error.
    public static let undecodable = Reason(rawValue: "undecodable")
    /// The surface provided no memory for the picture, or no memory was available.
    public static let outOfBuffers = Reason(rawValue: "outOfBuffers")
    /// The device lost the frame: its numbers have a gap.
    public static let lost = Reason(rawValue: "lost")
    /// The device delivered the frame without a usable picture.
    public static let damaged = Reason(rawValue: "damaged")
    /// The session withheld the frame from the output, because a still of another size was taken (``StreamGap``).
    public static let withheld = Reason(rawValue: "withheld")
  }

  /// The output that dropped the frames; nil if the frames reached no output, because the device lost or damaged them. Compare it with
  /// `ObjectIdentifier(output)`.
  public let output: ObjectIdentifier?
  /// The type of the output, for a person, such as `PreviewOutput`; `camera` if `output` is nil.
  public let name: String
  /// The reason why the frames were dropped.
  public let reason: Reason
  /// The number of frames that this output dropped for this reason since the session was made, or the output added.
  public internal(set) var count = 0
  /// Details of the latest drop, for a person; may be empty. Text from a device is printable and bounded.
  public internal(set) var detail = ""
}

/// Counts dropped frames for each output and reason.
final class DropLedger: Sendable {
  private struct Place: Hashable {
    var output: ObjectIdentifier?
    var reason: FrameDrop.Reason
  }

  private let counts = Locked<[Place: FrameDrop]>([:])
  private let news = Broadcast<FrameDrop>()

  /// Counts drops. May be called on the capture thread: never blocks.
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
      // Sent while locked, so that no stream ends with an older count.
      news.tell(drop)
    }
  }

  /// Removes the counts of an output that was removed: another output may get its identity.
  func forget(_ output: ObjectIdentifier) {
    counts.withLock { counts in counts = counts.filter { $0.key.output != output } }
  }

  func listen() -> AsyncStream<FrameDrop> {
    counts.withLock { counts in news.listen(from: Array(counts.values)) }
  }

  func finish() { news.finish() }
}
