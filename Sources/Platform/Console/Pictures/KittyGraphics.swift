import FoundationEssentials

/// Encodes a picture for kitty's terminal graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol): raw RGB in Base64, in pieces of 4,096
/// bytes.
enum KittyGraphics {
  /// The maximum number of Base64 bytes in one piece.
  static let piece = 4096

  /// - Parameter cell: the size of a character cell, in pixels of the picture; it decides how many cells the picture covers.
  static func bytes(of picture: TerminalPicture, cell: TerminalCell) -> [UInt8] {
    let data = Data(picture.rgb).base64EncodedData()
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
}
