/// How a sensor's buffer holds its samples: which values, each how wide and where.
struct IIOScan: Hashable, Sendable {
  /// One value as `scan_elements/…_type` describes it: `le:s12/16>>4`.
  struct Element: Hashable, Sendable {
    var isBigEndian: Bool
    var isSigned: Bool
    var bits: Int
    var storageBytes: Int
    var shift: Int

    /// - Returns: nil for what is no such description, or of no believable width (IIO: 8, 16, 32 or 64 bits in memory).
    init?(_ text: String) {
      let halves = text.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let sign = halves[1].first, ["s", "u"].contains(sign) else { return nil }
      let widths = halves[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
      guard widths.count == 2, let bits = Int(widths[0]) else { return nil }
      let stored = widths[1].replacing(">>", with: ">").split(
        separator: ">", omittingEmptySubsequences: false)
      guard let storage = stored.first.flatMap({ Int($0) }), [8, 16, 32, 64].contains(storage),
        let shift = stored.count == 1 ? 0 : Int(stored[1]), stored.count <= 2, bits >= 1, shift >= 0,
        bits <= storage, shift <= storage - bits
      else { return nil }
      (isBigEndian, isSigned) = (halves[0] == "be", sign == "s")
      (self.bits, self.shift, storageBytes) = (bits, shift, storage / 8)
    }

    func value(_ bytes: ArraySlice<UInt8>) -> Double {
      let ordered = isBigEndian ? Array(bytes) : bytes.reversed()
      let word = ordered.reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> UInt64(shift)
      let unused = UInt64(64 - bits)
      return isSigned
        ? Double(Int64(bitPattern: word << unused) >> Int64(unused)) : Double((word << unused) >> unused)
    }
  }

  /// Bytes of a sample.
  private(set) var length = 0
  private var places: [(element: Element, offset: Int)?] = [nil, nil, nil]

  /// - Parameter elements: all values in a sample, in their order; `axis` is 0 to 2 for x, y and z, nil for what is not wanted.
  /// - Returns: nil unless all three axes are there, or for samples of more than 256 bytes.
  init?(_ elements: [(axis: Int?, element: Element)]) {
    var widest = 1
    for (axis, element) in elements {
      // Each value lies at a multiple of its own size (Linux, "IIO buffers").
      length = (length + element.storageBytes - 1) / element.storageBytes * element.storageBytes
      if let axis { places[axis] = (element, length) }
      length += element.storageBytes
      widest = max(widest, element.storageBytes)
      guard length <= 256 else { return nil }
    }
    length = (length + widest - 1) / widest * widest
    guard places.allSatisfy({ $0 != nil }) else { return nil }
  }

  /// The raw values of x, y and z in the last whole sample; nil when there is none.
  func last(in bytes: ArraySlice<UInt8>) -> [Double]? {
    let count = bytes.count / length
    guard count > 0 else { return nil }
    let start = bytes.startIndex + (count - 1) * length
    return places.compactMap { place in
      place.map {
        $0.element.value(bytes[(start + $0.offset)..<(start + $0.offset + $0.element.storageBytes)])
      }
    }
  }

  static func == (left: IIOScan, right: IIOScan) -> Bool {
    left.length == right.length
      && zip(left.places, right.places).allSatisfy { $0?.offset == $1?.offset && $0?.element == $1?.element }
  }

  func hash(into hasher: inout Hasher) { hasher.combine(length) }
}
