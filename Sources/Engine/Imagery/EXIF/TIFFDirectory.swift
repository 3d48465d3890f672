/// An image file directory (TIFF 6.0, section 2) for writing, big-endian: entries in the order of their tags, followed by long values.
struct TIFFDirectory {
  enum Value {
    case ascii(String)
    case short(UInt16)
    case long(UInt32)
    case rational(UInt32, UInt32)
    case signedRational(Int32, Int32)
    case undefined([UInt8])

    fileprivate var type: UInt16 {
      switch self {
      case .ascii: 2
      case .short: 3
      case .long: 4
      case .rational: 5
      case .undefined: 7
      case .signedRational: 10
      }
    }

    fileprivate var count: UInt32 {
      switch self {
      case .ascii, .undefined: UInt32(bytes.count)
      case .short, .long, .rational, .signedRational: 1
      }
    }

    fileprivate var bytes: [UInt8] {
      switch self {
      case .ascii(let text): Array(text.utf8) + [0]
      case .short(let number): bigEndian(number)
      case .long(let number): bigEndian(number)
      case .rational(let over, let under): bigEndian(over) + bigEndian(under)
      case .signedRational(let over, let under): bigEndian(over) + bigEndian(under)
      case .undefined(let bytes): bytes
      }
    }
  }

  private var entries: [(tag: UInt16, value: Value)] = []

  /// - Parameter value: nil adds nothing.
  mutating func add(_ tag: UInt16, _ value: Value?) {
    if let value { entries.append((tag, value)) }
  }

  /// The number of bytes, including long values.
  var byteCount: Int { 6 + entries.count * 12 + entries.reduce(0) { $0 + Self.room($1.value) } }

  /// - Parameter offset: the place of the directory, from the start of the TIFF structure.
  func bytes(at offset: Int) -> [UInt8] {
    let sorted = entries.sorted { $0.tag < $1.tag }
    var (table, values) = (bigEndian(UInt16(sorted.count)), [UInt8]())
    let behind = offset + 6 + sorted.count * 12
    for (tag, value) in sorted {
      table += bigEndian(tag) + bigEndian(value.type) + bigEndian(value.count)
      let bytes = value.bytes
      if bytes.count <= 4 {
        table += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
      } else {
        table += bigEndian(UInt32(behind + values.count))
        // Values begin at even offsets.
        values += bytes + (bytes.count % 2 == 0 ? [] : [0])
      }
    }
    return table + [0, 0, 0, 0] + values
  }

  private static func room(_ value: Value) -> Int {
    let count = value.bytes.count
    return count <= 4 ? 0 : count + count % 2
  }
}

/// The bytes of a number, most significant first.
func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
  withUnsafeBytes(of: number.bigEndian) { Array($0) }
}
