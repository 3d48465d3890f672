import Imagery
import Testing

@Suite struct EXIFTests {
  private func read(_ bytes: [UInt8]) -> Orientation? {
    bytes.withUnsafeBytes { EXIF.orientation(tiff: $0) }
  }

  @Test(arguments: Orientation.allCases) func writesWhatItReads(orientation: Orientation) {
    #expect(read(EXIF.tiff(orientation)) == orientation)
  }

  @Test func readsLittleEndianAmongOtherTags() {
    let bytes: [UInt8] = [
      0x49, 0x49, 42, 0, 8, 0, 0, 0, 2, 0,
      0x0F, 0x01, 2, 0, 4, 0, 0, 0, 65, 66, 67, 0,
      0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
    ]
    #expect(read(bytes) == Orientation(rotation: .clockwise90))
  }

  /// A block may lack its last four bytes, the offset of the next directory.
  @Test func theLastEntryMayEndTheBlock() {
    let turned = Orientation(rotation: .clockwise90)
    #expect(read(Array(EXIF.tiff(turned).prefix(22))) == turned)
    #expect(read(Array(EXIF.tiff(turned).prefix(21))) == nil)
  }

  /// Returns a TIFF block with one orientation entry.
  private func block(isLittle: Bool, type: UInt8, count: UInt8, _ value: [UInt8], behind: [UInt8] = [])
    -> [UInt8]
  {
    func number(_ value: UInt8, _ width: Int) -> [UInt8] {
      let zeros = [UInt8](repeating: 0, count: width - 1)
      return isLittle ? [value] + zeros : zeros + [value]
    }
    let tag: [UInt8] = isLittle ? [0x12, 0x01] : [0x01, 0x12]
    let padding = [UInt8](repeating: 0, count: 4 - value.count)
    let parts: [[UInt8]] = [
      [UInt8]((isLittle ? "II" : "MM").utf8), number(42, 2), number(8, 4), number(1, 2), tag, number(type, 2),
      number(count, 4), value, padding, [0, 0, 0, 0], behind,
    ]
    return Array(parts.joined())
  }

  /// Like other readers, this one accepts an integer of any width, and takes the first of several values.
  @Test(arguments: [false, true]) func aWholeNumberOfAnyWidthCounts(isLittle: Bool) {
    func number(_ width: Int) -> [UInt8] {
      let zeros = [UInt8](repeating: 0, count: width - 1)
      return isLittle ? [6] + zeros : zeros + [6]
    }
    let wanted = Orientation(rotation: .clockwise90)
    for (type, width) in [(1, 1), (3, 2), (4, 4), (6, 1), (8, 2), (9, 4)] as [(UInt8, Int)] {
      #expect(read(block(isLittle: isLittle, type: type, count: 1, number(width))) == wanted, "type \(type)")
      guard width < 4 else { continue }
      #expect(read(block(isLittle: isLittle, type: type, count: 2, number(width) + number(width))) == wanted)
    }
    // Two values of four bytes are stored behind the directory, at 26.
    let place: [UInt8] = isLittle ? [26, 0, 0, 0] : [0, 0, 0, 26]
    let behind = block(isLittle: isLittle, type: 4, count: 2, place, behind: number(4) + number(4))
    #expect(read(behind) == wanted)
    #expect(read(Array(behind.prefix(28))) == nil)
    #expect(read(Array("Exif\0\0".utf8) + behind) == wanted)
  }

  /// The entry has another type, no value, or a value outside 1 to 8.
  @Test(arguments: [(UInt8(2), UInt8(1), UInt8(6)), (5, 1, 6), (3, 0, 6), (3, 1, 0), (3, 1, 9), (77, 1, 6)])
  func whatIsNoOrientationIsNotGuessed(type: UInt8, count: UInt8, value: UInt8) {
    #expect(read(block(isLittle: true, type: type, count: count, [value, 0])) == nil)
  }

  @Test func aDirectoryMayBeFarAway() {
    let entry: [UInt8] = [1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]
    let bytes: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 1, 0] + [UInt8](repeating: 0, count: 0x1_0000) + entry
    #expect(read(bytes) == Orientation(rotation: .clockwise270))
  }

  /// The first of two blocks counts. Fill bytes before a marker are skipped. A segment that is longer than the file is an error.
  @Test func markersAreReadAsTheStandardSays() throws {
    let image = try Pictures.raw(.grey, 16, 16, .jpeg, Pictures.noise)
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    let (first, second) = (Orientation(rotation: .clockwise90), Orientation(rotation: .half))
    let exif = EXIF.application1(first) + [0xFF, 0xFF, 0xFF] + EXIF.application1(second)
    let (start, rest) = (Array(bytes.prefix(2)), Array(bytes.dropFirst(2)))
    let both: [UInt8] = start + exif + rest
    #expect(try ImageFile.read(both).orientation == first)
    let fill: [UInt8] = [0xFF, 0xFF, 0xFF]
    let filled: [UInt8] = start + fill + EXIF.application1(second) + rest
    #expect(try ImageFile.read(filled).orientation == second)
    let error = #expect(throws: ImageError.self) { try ImageFile.read(Array(filled.prefix(30))) }
    guard case .truncated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// A damaged block gives no orientation or the right one. Only the tag's own value can give another orientation.
  @Test func noDamageHurts() {
    let half = Orientation(rotation: .half)
    let whole = EXIF.tiff(half)
    let value = 19
    for count in 0..<22 { #expect(read(Array(whole.prefix(count))) == nil) }
    for index in whole.indices {
      for byte: UInt8 in [0, 1, 2, 9, 12, 127, 128, 254, 255] {
        var damaged = whole
        damaged[index] = byte
        let orientation = read(damaged)
        if index == value {
          #expect(orientation == Orientation(exif: Int(byte)))
        } else {
          #expect(orientation == nil || orientation == half, "byte \(index) as \(byte)")
        }
      }
    }
  }

  @Test func badExifIsANoteNotAnError() throws {
    let image = try Pictures.raw(.grey, 16, 16, .jpeg, Pictures.noise)
    var settings = PhotoSettings(orientationMode: .tagged)
    for container in PhotoSettings.Container.allCases {
      settings.container = container
      let turned = Orientation(rotation: .clockwise90)
      var bytes = try PhotoPipeline().process(image, orientation: turned, settings: settings).bytes
      #expect(try ImageFile.read(bytes).orientation == turned)
      // The orientation entry: tag 0x0112, type 3, count 1, then the value.
      let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1]
      let at = try #require(bytes.indices.first { bytes[$0...].starts(with: tag) })
      bytes[at + 9] = 77
      let (_, orientation, notes) = try ImageFile.read(bytes)
      #expect(orientation == .upright && notes.count == 1)
    }
  }
}
