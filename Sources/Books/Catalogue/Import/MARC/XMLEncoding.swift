import CExpat
import Glibc

/// Determines the encoding of an XML file: the declared encoding, unless the file's bytes show another one (XML 1.0, appendix F).
enum XMLEncoding {
  /// The maximum number of bytes in which the declaration is searched.
  static let headLimit = 1024

  /// The encoding that Expat must be told. Nil if the declaration is right, or if Expat handles it.
  /// - Parameter head: the bytes up to the end of the declaration, if there is one.
  static func name(_ head: ArraySlice<UInt8>) -> String? {
    // UTF-16 is recognised by its byte order mark or by a zero byte beside `<`.
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    if head.starts(with: [0x3C, 0]) { return "UTF-16LE" }
    if head.starts(with: [0, 0x3C]) { return "UTF-16BE" }
    if head.starts(with: [0xEF, 0xBB, 0xBF]) { return "UTF-8" }
    let declared = declared(head)
    // Programs that store text as UTF-16 may declare UTF-16 although they write UTF-8.
    return declared.hasPrefix("utf-16") || declared.hasPrefix("ucs-2") || declared.isEmpty ? "UTF-8" : nil
  }

  private static func declared(_ head: ArraySlice<UInt8>) -> String {
    let text = String(decoding: head, as: UTF8.self).lowercased()
    guard text.hasPrefix("<?xml"), let range = text.firstRange(of: "encoding") else { return "" }
    let rest = text[range.upperBound...].drop { " \t\r\n=".contains($0) }
    guard let quote = rest.first, "\"'".contains(quote) else { return "" }
    return String(rest.dropFirst().prefix { $0 != quote })
  }

  /// Describes an encoding that Expat does not know, if each of its characters is one byte: windows-1252, ISO-8859-2, KOI8-R.
  /// - Returns: 1, or 0 for another encoding.
  static func describe(_ name: UnsafePointer<CChar>?, _ encoding: UnsafeMutablePointer<XML_Encoding>?) -> CInt
  {
    guard let name, let encoding, isPlain(String(cString: name)),
      let converter = iconv_open("UTF-32LE", name),
      converter != iconv_t(bitPattern: -1)
    else { return 0 }
    defer { iconv_close(converter) }
    var characters: [CInt] = []
    for byte in 0..<256 {
      guard let character = character(UInt8(byte), converter) else { return 0 }
      characters.append(character)
    }
    guard (0x20..<0x7F).allSatisfy({ characters[$0] == CInt($0) }), characters.contains(where: { $0 >= 0x80 })
    else {
      return 0
    }
    // The map is the structure's first member.
    UnsafeMutableRawPointer(encoding).copyMemory(from: characters, byteCount: 256 * MemoryLayout<CInt>.size)
    (encoding.pointee.data, encoding.pointee.convert, encoding.pointee.release) = (nil, nil, nil)
    return 1
  }

  private static func isPlain(_ name: String) -> Bool {
    name.utf8.count <= 40
      && name.utf8.allSatisfy {
        (48...57).contains($0) || (97...122).contains($0 | 0x20) || "-_.:".utf8.contains($0)
      }
  }

  /// The character of one byte. Nil if the byte only begins a character; -1 if the byte is no character.
  private static func character(_ byte: UInt8, _ converter: iconv_t) -> CInt? {
    var (source, target) = (CChar(bitPattern: byte), UInt32(0))
    var (left, room, isOpen) = (1, 4, false)
    withUnsafeMutablePointer(to: &source) { from in
      withUnsafeMutableBytes(of: &target) { to in
        var input: UnsafeMutablePointer<CChar>? = from
        var output = to.baseAddress?.assumingMemoryBound(to: CChar.self)
        if iconv(converter, &input, &left, &output, &room) == -1 { isOpen = errno == EINVAL }
      }
    }
    if isOpen { return nil }
    // Reset the converter if a character was begun.
    if left > 0 || room > 0 { iconv(converter, nil, nil, nil, nil) }
    return left == 0 && room == 0 ? CInt(truncatingIfNeeded: UInt32(littleEndian: target)) : -1
  }
}
