/// Draws a picture as upper half blocks (▀): the foreground is the upper of two pixels, the background the lower, in 24-bit colour (ISO 8613-6,
/// `38;2` and `48;2`).
enum HalfBlocks {
  static func bytes(of picture: TerminalPicture) -> [UInt8] {
    var text = ""
    for top in stride(from: 0, to: picture.height, by: 2) {
      for x in 0..<picture.width {
        text += "\u{1B}[38;2;\(color(picture, x, y: top))m"
        // If the height is odd, the last row has no lower pixels.
        if top + 1 < picture.height { text += "\u{1B}[48;2;\(color(picture, x, y: top + 1))m" }
        text += "▀"
      }
      text += "\u{1B}[0m\r\n"
    }
    return Array(text.utf8)
  }

  private static func color(_ picture: TerminalPicture, _ x: Int, y: Int) -> String {
    let at = (y * picture.width + x) * 3
    return "\(picture.rgb[at]);\(picture.rgb[at + 1]);\(picture.rgb[at + 2])"
  }
}
