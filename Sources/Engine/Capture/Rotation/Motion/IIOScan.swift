/// The layout of the samples in a sensor's buffer: the values, their widths and their offsets.
struct IIOScan: Hashable, Sendable {
  /// The meaning of a value in a sample.
  enum Channel: Hashable, Sendable {
    /// The acceleration along x, y or z: 0, 1 or 2.
    case axis(Int)
    /// The time of the sample, in nanoseconds of the sensor's clock.
    case timestamp
    /// Another enabled value.
    case other
  }

  /// One sample: the raw values of x, y and z, and its time if the sensor reports it.
  struct Sample: Hashable, Sendable {
    var raw: [Double]
    var nanoseconds: Int64?
  }

  /// One value as `scan_elements/…_type` describes it: `le:s12/16>>4`.
  struct Element: Hashable, Sendable {
    var isBigEndian: Bool
    var isSigned: Bool
    var bits: Int
    var storageBytes: Int
    var shift: Int

    /// - Returns: nil if the text is no such description, or has an implausible width (IIO: 8, 16, 32 or 64 bits in memory).
    init?(_ text: String) {
      let halves = text.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let sign = halves[1].first, ["s", "u"].contains(sign) else { return nil }
      let widths = halves[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      guard widths.count == 2, let bits = Int(widths[0]) else { return nil }
      // `replacing` would link the standard library's regular expressions into the viewfinder.
      let stored = widths[1].split(separator: ">", omittingEmptySubsequences: false)
      guard let storage = Int(stored[0]), [8, 16, 32, 64].contains(storage),
        stored.count == 1 || stored.count == 3 && stored[1].isEmpty,
        let shift = stored.count == 1 ? 0 : Int(stored[2]), bits >= 1, shift >= 0,
        bits <= storage, shift <= storage - bits
      else { return nil }
      isBigEndian = halves[0] == "be"
      isSigned = sign == "s"
      self.bits = bits
      self.shift = shift
      storageBytes = storage / 8
    }

    /// The stored bytes as a word, shifted to the beginning of the value.
    func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
      return ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
    }

    func number(_ word: UInt64) -> Double {
      let unused = UInt64(64 - bits)
      return isSigned
        ? Double(Int64(bitPattern: word << unused) >> Int64(unused)) : Double((word << unused) >> unused)
    }
  }

  /// The number of bytes in a sample.
  private(set) var length = 0
  private var axes: [Place?] = [nil, nil, nil]
  private var timestamp: Place?

  private struct Place: Hashable, Sendable {
    var element: Element
    var offset: Int

    func value(_ sample: ArraySlice<UInt8>) -> UInt64 {
      let start = sample.startIndex + offset
      return element.word(sample[start..<(start + element.storageBytes)])
    }
  }

  /// - Parameter elements: all values of a sample, in order.
  /// - Returns: nil if one of the three axes is missing, or if samples have more than 256 bytes.
  init?(_ elements: [(channel: Channel, element: Element)]) {
    var widest = 1
    for (channel, element) in elements {
      // Each value lies at a multiple of its own size (Linux, "IIO buffers").
      length = (length + element.storageBytes - 1) / element.storageBytes * element.storageBytes
      switch channel {
      case .axis(let axis): axes[axis] = Place(element: element, offset: length)
      case .timestamp: timestamp = Place(element: element, offset: length)
      case .other: break
      }
      length += element.storageBytes
      widest = max(widest, element.storageBytes)
      guard length <= 256 else { return nil }
    }
    length = (length + widest - 1) / widest * widest
    guard axes.allSatisfy({ $0 != nil }) else { return nil }
  }

  /// The whole samples in `bytes`, in order; an incomplete one is left out.
  func samples(in bytes: ArraySlice<UInt8>) -> [Sample] {
    (0..<bytes.count / length).map { index in
      let start = bytes.startIndex + index * length
      let sample = bytes[start..<(start + length)]
      return Sample(
        raw: axes.compactMap { $0.map { $0.element.number($0.value(sample)) } },
        nanoseconds: timestamp.map { Int64(bitPattern: $0.value(sample)) })
    }
  }
}
