import CVideo4Linux

/// The moment that a timestamp marks (`V4L2_BUF_FLAG_TSTAMP_SRC_MASK`).
public enum TimestampEdge: String, Sendable {
  /// The arrival of the last data (`V4L2_BUF_FLAG_TSTAMP_SRC_EOF`).
  case endOfFrame
  /// The start of the exposure (`V4L2_BUF_FLAG_TSTAMP_SRC_SOE`).
  case startOfExposure
}

/// The clock of a timestamp (`V4L2_BUF_FLAG_TIMESTAMP_MASK`).
public enum TimestampClock: String, Sendable {
  /// The driver does not report the clock.
  case unknown
  /// `CLOCK_MONOTONIC`.
  case monotonic
  /// The time that the program gave to an output buffer.
  case copied
}

/// A buffer taken from the driver, with the driver's report, validated. A plain value; taking one allocates nothing.
public struct DequeuedBuffer: Sendable {
  /// The index of the buffer, for giving it back.
  public let index: Int
  /// The number of planes that the driver filled.
  public let planeCount: Int
  /// Whether the driver marked the contents as damaged (`V4L2_BUF_FLAG_ERROR`), or claimed more bytes than the buffer has.
  /// Its sequence and timestamp then have no meaning: UVC leaves both 0.
  public let isDamaged: Bool
  /// Whether this is the last buffer of the stream (`V4L2_BUF_FLAG_LAST`).
  public let isLast: Bool
  /// A frame counter that wraps at 2³²; some drivers repeat or restart it (`SequenceTracker`).
  public let sequence: UInt32
  /// The time in nanoseconds on `timestampClock`; nil if the driver gave none. May lie up to a frame in the future (vivid).
  public let timestamp: Int64?
  /// The clock of the timestamp.
  public let timestampClock: TimestampClock
  /// The moment that the timestamp marks.
  public let timestampEdge: TimestampEdge
  /// The lines of the picture that the buffer holds.
  public let field: FieldOrder
  private let used: SIMD8<UInt32>
  private let offsets: SIMD8<UInt32>

  /// The number of picture bytes in a plane, at most its length; 0 for a plane that the buffer lacks.
  public func bytesUsed(plane: Int = 0) -> Int { (0..<planeCount).contains(plane) ? Int(used[plane]) : 0 }

  /// The offset of the picture in a plane: 0, except for a few multi-planar drivers that put metadata first.
  public func dataOffset(plane: Int = 0) -> Int { (0..<planeCount).contains(plane) ? Int(offsets[plane]) : 0 }
}

extension DequeuedBuffer {
  /// - Parameters:
  ///   - planes: the planes of the multi-planar flavour, of which the first `mapped.count` are read; nil for single-planar.
  ///   - mapped: the mapped planes of the buffer.
  init(_ raw: v4l2_buffer, planes: UnsafePointer<v4l2_plane>?, mapped: [MappedPlane]) {
    func has(_ flag: Int32) -> Bool { raw.flags & UInt32(bitPattern: flag) != 0 }
    var used = SIMD8<UInt32>()
    var offsets = SIMD8<UInt32>()
    var isDamaged = has(V4L2_BUF_FLAG_ERROR)
    for index in 0..<min(mapped.count, 8) {
      let claimed = planes.map { $0[index].bytesused } ?? raw.bytesused
      let offset = planes.map { $0[index].data_offset } ?? 0
      let length = UInt32(clamping: mapped[index].length)
      if claimed > length || offset > claimed { isDamaged = true }
      offsets[index] = min(offset, claimed, length)
      // In the multi-planar flavour `bytesused` counts from the start of the plane.
      used[index] = min(claimed, length) - offsets[index]
    }
    self.used = used
    self.offsets = offsets
    self.isDamaged = isDamaged
    index = Int(raw.index)
    planeCount = min(mapped.count, 8)
    isLast = has(V4L2_BUF_FLAG_LAST)
    sequence = raw.sequence
    timestamp = DequeuedBuffer.nanoseconds(seconds: raw.timestamp.tv_sec, microseconds: raw.timestamp.tv_usec)
    timestampClock =
      switch Int32(bitPattern: raw.flags) & V4L2_BUF_FLAG_TIMESTAMP_MASK {
      case V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC: .monotonic
      case V4L2_BUF_FLAG_TIMESTAMP_COPY: .copied
      default: .unknown
      }
    let source = Int32(bitPattern: raw.flags) & V4L2_BUF_FLAG_TSTAMP_SRC_MASK
    timestampEdge = source == V4L2_BUF_FLAG_TSTAMP_SRC_SOE ? .startOfExposure : .endOfFrame
    field = FieldOrder(rawValue: raw.field) ?? .any
  }

  /// Nil for zero, which means no timestamp, and for invalid times.
  private static func nanoseconds(seconds: Int, microseconds: Int) -> Int64? {
    guard seconds >= 0, (0..<1_000_000).contains(microseconds) else { return nil }
    let (whole, overflow) = Int64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowOfSum) = whole.addingReportingOverflow(Int64(microseconds) * 1000)
    return overflow || overflowOfSum || sum == 0 ? nil : sum
  }
}
