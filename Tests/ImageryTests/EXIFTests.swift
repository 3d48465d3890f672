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

  /// Every byte cut off, and every byte changed to every value that matters, ends in an answer.
  @Test func noDamageHurts() {
    let whole = EXIF.tiff(Orientation(rotation: .half))
    for count in 0..<whole.count - 4 { _ = read(Array(whole.prefix(count))) }
    for index in whole.indices {
      for value: UInt8 in [0, 1, 2, 9, 12, 127, 128, 254, 255] {
        var damaged = whole
        damaged[index] = value
        if let orientation = read(damaged) { #expect(Orientation.allCases.contains(orientation)) }
      }
    }
    #expect(read(Array(whole.prefix(20))) == nil)
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
