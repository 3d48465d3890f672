/// A picture that a terminal can show.
///
/// It takes pixels instead of a file, because the terminals' formats consist of pixels, and this module has no image library.
package struct TerminalPicture: Sendable, Hashable {
  /// The way in which a terminal shows pictures. A closed enumeration.
  package enum Kind: String, Sendable, CaseIterable {
    /// The graphics protocol of kitty, which WezTerm, Ghostty and Konsole also support.
    case kitty
    /// DEC's sixels: xterm, foot, mlterm, iTerm2, tmux and others that report it.
    case sixel
    /// Two pixels per character, each half with its own colour.
    case halfBlocks
    case none
  }

  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// Red, green and blue of each pixel, row by row without padding.
  package let rgb: [UInt8]

  /// The maximum side length in pixels.
  package static let sideLimit = 4096

  /// - Returns: nil unless both sides are 1 to ``sideLimit`` and there are three bytes per pixel.
  package init?(width: Int, height: Int, rgb: [UInt8]) {
    let sides = 1...Self.sideLimit
    guard sides.contains(width), sides.contains(height), rgb.count == width * height * 3 else { return nil }
    self.width = width
    self.height = height
    self.rgb = rgb
  }

  /// The number of rows that ``render(_:columns:rows:cell:)`` covers with the same arguments.
  package func renderedRows(
    _ kind: Kind, columns: Int, rows: Int = 24, cell: TerminalCell = .usual
  ) -> Int {
    let room = TerminalRoom(columns: max(1, columns), rows: max(1, rows), cell: cell)
    switch kind {
    case .kitty, .sixel: return Self.share(fittedSize(room.pixels).height, of: cell.height)
    case .halfBlocks: return Self.share(fittedSize(room.halves).height, of: 2)
    case .none: return 0
    }
  }

  private static func share(_ length: Int, of part: Int) -> Int { (length + part - 1) / part }

  /// The bytes that make a terminal show the picture at the cursor. The cursor ends in the first column below it.
  /// - Parameters:
  ///   - columns: the maximum width in characters. A picture with fewer pixels is not enlarged.
  ///   - rows: the maximum height in characters.
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

/// The size of a character in pixels.
package struct TerminalCell: Sendable, Hashable {
  package var width: Int
  package var height: Int

  /// The size for a terminal that does not report one.
  package static let usual = TerminalCell(width: 8, height: 16)

  /// Creates a cell. Sides below one pixel count as one.
  package init(width: Int, height: Int) { (self.width, self.height) = (max(1, width), max(1, height)) }
}

/// The part of a window that a picture may cover.
struct TerminalRoom {
  var columns: Int
  var rows: Int
  var cell: TerminalCell

  /// The size in pixels of the screen.
  var pixels: (width: Int, height: Int) { (columns * cell.width, rows * cell.height) }
  /// The size in half blocks, which are taken to be square.
  var halves: (width: Int, height: Int) { (columns, rows * 2) }
}
