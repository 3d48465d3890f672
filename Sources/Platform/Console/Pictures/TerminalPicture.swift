/// A picture that is shown in a terminal, where the terminal can.
///
/// It takes pixels and no file, because a terminal's own formats are made of pixels and this room knows no image library.
package struct TerminalPicture: Sendable, Hashable {
  /// How a terminal shows pictures. Closed.
  package enum Kind: String, Sendable, CaseIterable {
    /// The graphics protocol of kitty, which WezTerm, Ghostty and Konsole speak too.
    case kitty
    /// DEC's sixels: xterm, foot, mlterm, iTerm2, tmux and others that tell so.
    case sixel
    /// Two pixels a character, each half block in a colour of its own.
    case halfBlocks
    /// Not at all.
    case none
  }

  /// Columns of pixels.
  package let width: Int
  /// Rows of pixels.
  package let height: Int
  /// Red, green and blue of each pixel, row by row without padding.
  package let rgb: [UInt8]

  /// Longest side that is taken, pixels.
  package static let sideLimit = 4096

  /// - Returns: nil unless the sides are 1 to ``sideLimit`` and there are three bytes for each pixel.
  package init?(width: Int, height: Int, rgb: [UInt8]) {
    let sides = 1...Self.sideLimit
    guard sides.contains(width), sides.contains(height), rgb.count == width * height * 3 else { return nil }
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// What a terminal must be sent so that it shows the picture from where the cursor is, which ends in the first column below it.
  /// - Parameters:
  ///   - columns: most that the picture is wide, in characters; fewer where it has fewer pixels.
  ///   - rows: most that it is high.
  /// - Returns: no bytes for `none`.
  package func render(
    _ kind: Kind, columns: Int, rows: Int = 24, cell: TerminalCell = .usual
  ) -> [UInt8] {
    let room = TerminalRoom(columns: max(1, columns), rows: max(1, rows), cell: cell)
    switch kind {
    case .kitty: return KittyGraphics.bytes(of: fitted(room.pixels), cell: cell)
    case .sixel: return SixelEncoder.bytes(of: fitted(room.pixels))
    case .halfBlocks: return HalfBlocks.bytes(of: fitted(room.halves))
    case .none: return []
    }
  }
}

/// The size of a character, pixels.
package struct TerminalCell: Sendable, Hashable {
  package var width: Int
  package var height: Int

  /// Of a terminal that does not tell.
  package static let usual = TerminalCell(width: 8, height: 16)

  /// A cell as it is; sides below a pixel count as one.
  package init(width: Int, height: Int) { (self.width, self.height) = (max(1, width), max(1, height)) }
}

/// The part of a window that a picture may take.
struct TerminalRoom {
  var columns: Int
  var rows: Int
  var cell: TerminalCell

  /// As pixels of the screen.
  var pixels: (width: Int, height: Int) { (columns * cell.width, rows * cell.height) }
  /// As half blocks, which are taken for squares.
  var halves: (width: Int, height: Int) { (columns, rows * 2) }
}
