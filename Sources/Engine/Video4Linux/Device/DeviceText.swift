extension String {
  /// Creates a string from a fixed-length field that a driver filled: up to the first NUL, repaired to UTF-8, with control characters
  /// replaced and blanks trimmed, so that it is safe to print.
  init<Field>(deviceText field: Field) {
    self = withUnsafeBytes(of: field) { field in
      let length = field.firstIndex(of: 0) ?? field.count
      return String(deviceBytes: UnsafeRawBufferPointer(rebasing: field[..<length]))
    }
  }

  init(deviceBytes bytes: UnsafeRawBufferPointer) {
    // A fast path, since almost all texts are plain ASCII, and a camera may list a hundred formats before its first picture.
    guard !bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      self = String(decoding: bytes.trimmed, as: UTF8.self)
      return
    }
    let decoded = String(decoding: bytes, as: UTF8.self)
    let printable = decoded.unicodeScalars.map { scalar -> Unicode.Scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: "?"
      default: scalar
      }
    }
    var text = String(String.UnicodeScalarView(printable))[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    self = String(text)
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes without blanks at both ends.
  fileprivate var trimmed: UnsafeRawBufferPointer {
    let blank = UInt8(ascii: " ")
    guard let first = firstIndex(where: { $0 != blank }), let last = lastIndex(where: { $0 != blank }) else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(rebasing: self[first...last])
  }
}
