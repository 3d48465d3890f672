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

  /// The four bytes of the next directory's place are not needed to read this one.
  @Test func theLastEntryMayEndTheBlock() {
    let turned = Orientation(rotation: .clockwise90)
    #expect(read(Array(EXIF.tiff(turned).prefix(22))) == turned)
    #expect(read(Array(EXIF.tiff(turned).prefix(21))) == nil)
  }

  /// Type SHORT, one of them, and nothing else.
  @Test(arguments: [(13, UInt8(4)), (17, 2), (17, 0)]) func anotherTypeOrCountIsNotGuessed(
    at: Int, value: UInt8
  ) {
    var bytes = EXIF.tiff(Orientation(rotation: .half))
    bytes[at] = value
    #expect(read(bytes) == nil)
  }

  @Test func aDirectoryMayBeFarAway() {
    let entry: [UInt8] = [1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, 8, 0, 0, 0]
    let bytes: [UInt8] =
      [0x49, 0x49, 42, 0, 8, 0, 1, 0] + [UInt8](repeating: 0, count: 0x1_0000) + entry
    #expect(read(bytes) == Orientation(rotation: .clockwise270))
  }

  /// Of two blocks the first counts; fill bytes before a marker are none of it; a segment longer than the file is its end.
  @Test func markersAreReadAsTheStandardSays() throws {
    let image = try Pictures.raw(.grey, 16, 16, .jpeg, Pictures.noise)
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    let (first, second) = (Orientation(rotation: .clockwise90), Orientation(rotation: .half))
    let exif = EXIF.application1(first) + [0xFF, 0xFF, 0xFF] + EXIF.application1(second)
    let both = bytes.prefix(2) + exif + bytes.dropFirst(2)
    #expect(try ImageFile.read(Array(both)).orientation == first)
    let filled = bytes.prefix(2) + [0xFF, 0xFF, 0xFF] + EXIF.application1(second) + bytes.dropFirst(2)
    #expect(try ImageFile.read(Array(filled)).orientation == second)
    let error = #expect(throws: ImageError.self) { try ImageFile.read(Array(filled.prefix(30))) }
    guard case .truncated = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  /// Every byte cut off, and every byte changed to every value that matters, ends in no answer or the right one: the value of the
  /// tag is the only place where another orientation can come from.
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
      // The orientation's value: tag 0x0112, type 3, count 1, then it.
      let tag: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1]
      let at = try #require(bytes.indices.first { bytes[$0...].starts(with: tag) })
      bytes[at + 9] = 77
      let (_, orientation, notes) = try ImageFile.read(bytes)
      #expect(orientation == .upright && notes.count == 1)
    }
  }
}
