/// Encodes a picture for kitty's terminal graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol): raw RGB in Base64, in pieces of 4,096
/// bytes.
enum KittyGraphics {
  /// The maximum number of Base64 bytes in one piece.
  static let piece = 4096

  /// - Parameter cell: the size of a character cell, in pixels of the picture; it decides how many cells the picture covers.
  static func bytes(of picture: TerminalPicture, cell: TerminalCell) -> [UInt8] {
    let data = base64(picture.rgb)
    let columns = (picture.width + cell.width - 1) / cell.width
    let rows = (picture.height + cell.height - 1) / cell.height
    // q=2: the terminal must not answer, since its answer would be taken for typed input.
    var keys = "a=T,q=2,f=24,s=\(picture.width),v=\(picture.height),c=\(columns),r=\(rows),"
    var bytes: [UInt8] = []
    var start = 0
    while start < data.count {
      let end = min(start + piece, data.count)
      bytes += Array("\u{1B}_G\(keys)m=\(end < data.count ? 1 : 0);".utf8) + data[start..<end]
      bytes += Array("\u{1B}\\".utf8)
      start = end
      keys = ""
    }
    return bytes + Array("\r\n".utf8)
  }

  /// Base64 by RFC 4648, section 4, with padding.
  static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let count = min(3, bytes.count - start)
      let bits = (0..<3).reduce(0) { $0 << 8 | ($1 < count ? Int(bytes[start + $1]) : 0) }
      for place in 0..<4 {
        text.append(place <= count ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
