import Testing

@testable import Console

@Suite struct TerminalPictureTests {
  /// Returns a picture whose red increases to the right and whose green increases downwards.
  private func picture(_ width: Int, _ height: Int) throws -> TerminalPicture {
    var rgb: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        rgb += [UInt8(x * 255 / max(width - 1, 1)), UInt8(y * 255 / max(height - 1, 1)), 40]
      }
    }
    return try #require(TerminalPicture(width: width, height: height, rgb: rgb))
  }

  private func plain(_ width: Int, _ height: Int, _ color: [UInt8]) throws -> TerminalPicture {
    let rgb = Array(repeatElement(color, count: width * height).joined())
    return try #require(TerminalPicture(width: width, height: height, rgb: rgb))
  }

  @Test func pixelsThatAreNoPictureAreRefused() {
    #expect(TerminalPicture(width: 0, height: 1, rgb: []) == nil)
    #expect(TerminalPicture(width: 2, height: 2, rgb: [1, 2, 3]) == nil)
    #expect(TerminalPicture(width: 5000, height: 1, rgb: [UInt8](repeating: 0, count: 15000)) == nil)
  }

  @Test(arguments: [(7, 5), (64, 48), (100, 1)]) func kittyGetsEveryPixel(_ width: Int, _ height: Int) throws
  {
    let picture = try picture(width, height)
    let shown = try #require(ReadKitty(picture.render(.kitty, columns: 80)))
    #expect(shown.keys["f"] == "24" && shown.keys["a"] == "T" && shown.keys["q"] == "2")
    #expect(shown.keys["s"] == "\(width)" && shown.keys["v"] == "\(height)")
    #expect(shown.keys["c"] == "\((width + 7) / 8)" && shown.keys["r"] == "\((height + 15) / 16)")
    #expect(shown.bytes == picture.rgb && shown.isWholePieces)
  }

  @Test func sixelsShowAPlainColourAsItIs() throws {
    let shown = try #require(ReadSixel(try plain(30, 13, [255, 51, 0]).render(.sixel, columns: 80)))
    #expect(shown.width == 30 && shown.height == 13)
    #expect(shown.pixels.allSatisfy { $0 == [100, 20, 0] })
    let grey = try #require(ReadSixel(try plain(9, 7, [64, 64, 64]).render(.sixel, columns: 80)))
    #expect(grey.pixels.allSatisfy { $0.allSatisfy { abs($0 - 25) <= 2 } })
  }

  /// Colours that the palette lacks are correct on average over an area.
  @Test func sixelsShowAPictureCloselyAndWhole() throws {
    let picture = try picture(80, 60)
    let shown = try #require(ReadSixel(picture.render(.sixel, columns: 80)))
    #expect(shown.width == 80 && shown.height == 60 && !shown.pixels.contains([]))
    for tile in 0..<12 {
      let (left, top) = (tile % 4 * 20, tile / 4 * 20)
      for channel in 0..<3 {
        var (wanted, found) = (0, 0)
        for y in top..<top + 20 {
          for x in left..<left + 20 {
            wanted += Int(picture.rgb[(y * 80 + x) * 3 + channel])
            found += shown.pixels[y * 80 + x][channel] * 255 / 100
          }
        }
        #expect(abs(wanted - found) <= 400 * 6, "tile \(tile), channel \(channel)")
      }
    }
  }

  @Test func halfBlocksHaveTwoPixelsEach() throws {
    let rgb: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8, 9]
    let picture = try #require(TerminalPicture(width: 1, height: 3, rgb: rgb))
    let text = String(decoding: picture.render(.halfBlocks, columns: 10), as: UTF8.self)
    #expect(
      text == "\u{1B}[38;2;1;2;3m\u{1B}[48;2;4;5;6m▀\u{1B}[0m\r\n\u{1B}[38;2;7;8;9m▀\u{1B}[0m\r\n")
  }

  @Test func aLargePictureIsMadeSmallerByMeans() throws {
    let picture = try picture(640, 100)
    let shown = try #require(
      ReadKitty(picture.render(.kitty, columns: 20, cell: TerminalCell(width: 10, height: 20))))
    #expect(shown.keys["s"] == "200" && shown.keys["v"] == "31" && shown.keys["c"] == "20")
    let first = shown.bytes.prefix(3)
    #expect(first[0] <= 1 && first[1] <= 4 && first[2] == 40)
    let rows = picture.render(.halfBlocks, columns: 20).count { $0 == UInt8(ascii: "\n") }
    #expect(rows == 2)
    #expect(try self.picture(10, 600).render(.halfBlocks, columns: 80, rows: 5).count { $0 == 10 } == 5)
  }

  @Test(arguments: [(640, 64, 79, 2), (640, 64, 79, 9), (100, 30, 40, 3), (7, 5, 80, 24)])
  func theRowsOfAPictureAreKnown(_ width: Int, _ height: Int, _ columns: Int, _ rows: Int) throws {
    let picture = try picture(width, height)
    let shown = try #require(ReadKitty(picture.render(.kitty, columns: columns, rows: rows)))
    #expect(shown.keys["r"] == "\(picture.renderedRows(.kitty, columns: columns, rows: rows))")
    let lines = picture.render(.halfBlocks, columns: columns, rows: rows).count { $0 == 10 }
    #expect(lines == picture.renderedRows(.halfBlocks, columns: columns, rows: rows))
    #expect(picture.renderedRows(.none, columns: columns, rows: rows) == 0)
  }

  @Test func noTerminalGetsNothing() throws {
    #expect(try picture(10, 10).render(.none, columns: 80).isEmpty)
  }

  /// No pixel values put another escape sequence into the output.
  @Test(arguments: TerminalPicture.Kind.allCases) func nothingButTheFormatIsSent(_ kind: TerminalPicture.Kind)
    throws
  {
    let rgb = (0..<300).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 27) }
    let picture = try #require(TerminalPicture(width: 10, height: 10, rgb: rgb))
    let bytes = picture.render(kind, columns: 80)
    let controls = Set(bytes.filter { $0 < 32 })
    #expect(controls.isSubset(of: [27, 10, 13]))
  }
}
