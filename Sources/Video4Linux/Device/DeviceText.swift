extension String {
  /// Text from a fixed-length field a driver filled: up to the first NUL, repaired to UTF-8, with control characters
  /// replaced and blanks trimmed, so that it may be printed anywhere.
  init<Field>(deviceText field: Field) {
    self = withUnsafeBytes(of: field) { String(deviceBytes: $0.prefix { $0 != 0 }) }
  }

  init(deviceBytes bytes: some Sequence<UInt8>) {
    let decoded = String(decoding: Array(bytes), as: UTF8.self)
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
