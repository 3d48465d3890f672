import Foundation
import Imagery
import System
import Testing

/// The metadata in a photo's file, read by a reader that shares no code with the writer.
@Suite struct PhotoMetadataTests {
  /// A value of a directory, as TIFF 6.0 and Exif 2.32 store it.
  enum Value: Equatable {
    case text(String)
    case numbers([Int])
    case fraction(Int, Int)
    case bytes([UInt8])
  }

  /// The entries of both directories of a big-endian TIFF structure.
  struct Tags {
    var values: [Int: Value] = [:]
    /// The tags in the order of the file, to check that they ascend within each directory.
    var order: [[Int]] = []

    init(_ bytes: [UInt8]) throws {
      try #require(bytes.prefix(4) == [0x4D, 0x4D, 0, 42])
      try readDirectory(bytes, Self.number(bytes, 4, 4))
      if case .numbers(let place)? = values[0x8769] { try readDirectory(bytes, place[0]) }
    }

    private mutating func readDirectory(_ bytes: [UInt8], _ start: Int) throws {
      var tags: [Int] = []
      for index in 0..<Self.number(bytes, start, 2) {
        let entry = start + 2 + index * 12
        let (tag, type) = (Self.number(bytes, entry, 2), Self.number(bytes, entry + 2, 2))
        let count = Self.number(bytes, entry + 4, 4)
        let unit = try #require([1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8][type])
        let place = unit * count <= 4 ? entry + 8 : Self.number(bytes, entry + 8, 4)
        let data = Array(
          try #require(place + unit * count <= bytes.count ? bytes[place..<place + unit * count] : nil))
        tags.append(tag)
        values[tag] =
          switch type {
          case 2: .text(String(decoding: data.dropLast(), as: UTF8.self))
          case 7: .bytes(data)
          case 5: .fraction(Self.number(data, 0, 4), Self.number(data, 4, 4))
          case 10:
            .fraction(
              Int(Int32(truncatingIfNeeded: Self.number(data, 0, 4))), Self.number(data, 4, 4))
          default: .numbers((0..<count).map { Self.number(data, $0 * unit, unit) })
          }
        if type == 2 { try #require(data.last == 0) }
      }
      order.append(tags)
    }

    static func number(_ bytes: [UInt8], _ at: Int, _ count: Int) -> Int {
      bytes[at..<at + count].reduce(0) { $0 << 8 | Int($1) }
    }
  }

  static var everything: PhotoMetadata {
    var metadata = PhotoMetadata()
    metadata.time = CivilTime(unixNanoseconds: 1_795_417_509_042_999_999, minutesAheadOfUTC: -210)
    (metadata.make, metadata.model) = ("Example", "HD Camera C920")
    (metadata.exposureDuration, metadata.iso, metadata.exposureBias) = (1.0 / 50, 400, -0.7)
    (metadata.isExposureManual, metadata.isWhiteBalanceManual, metadata.digitalZoom) = (true, false, 1.5)
    return metadata
  }

  /// Returns the TIFF structure in a JPEG file, which follows the first `Exif` header in an APP1 segment.
  private func tiff(ofJPEG bytes: [UInt8]) throws -> [UInt8] {
    let mark = Array("Exif\0\0".utf8)
    let at = try #require(bytes.indices.first { bytes[$0...].starts(with: mark) })
    let length = Int(bytes[at - 2]) << 8 | Int(bytes[at - 1])
    return Array(bytes[at + 6..<at - 2 + length])
  }

  @Test(arguments: [PhotoSettings.OrientationMode.baked, .tagged])
  func everythingIsReadBack(mode: PhotoSettings.OrientationMode) throws {
    let image = try Pictures.raw(.i420, 64, 48, .jpeg, Pictures.noise)
    let turned = Orientation(rotation: .clockwise90)
    let settings = PhotoSettings(longSide: 32, orientationMode: mode, metadata: Self.everything)
    let photo = try PhotoPipeline().process(image, orientation: turned, settings: settings)
    let tags = try Tags(try tiff(ofJPEG: photo.bytes))
    let expected: [Int: Value] = [
      0x010F: .text("Example"), 0x0110: .text("HD Camera C920"),
      0x0112: .numbers([mode == .baked ? 1 : 6]),
      0x0132: .text("2026:11:23 03:35:09"), 0x9003: .text("2026:11:23 03:35:09"),
      0x9010: .text("-03:30"), 0x9011: .text("-03:30"), 0x9290: .text("042"), 0x9291: .text("042"),
      0x829A: .fraction(1, 50), 0x8827: .numbers([400]), 0x9204: .fraction(-70, 100),
      0x9000: .bytes(Array("0232".utf8)), 0xA001: .numbers([1]),
      0xA002: .numbers([photo.storedSize.width]), 0xA003: .numbers([photo.storedSize.height]),
      0xA402: .numbers([1]), 0xA403: .numbers([0]), 0xA404: .fraction(150, 100),
    ]
    for (tag, value) in expected { #expect(tags.values[tag] == value, "0x\(String(tag, radix: 16))") }
    for order in tags.order { #expect(order == order.sorted(), "TIFF wants tags to rise") }
    let read = try ImageFile.read(photo.bytes)
    #expect(read.orientation == (mode == .baked ? .upright : turned) && read.notes.isEmpty)
    // The engine's own reader needs only the head of the file.
    let described = try JPEGDescription(Array(photo.bytes.prefix(2048)))
    #expect(described.size == photo.size && described.metadata == Self.everything)
    #expect(described.metadata.time?.internetText == "2026-11-23T03:35:09.042-03:30")
  }

  /// A head that is cut or changed anywhere is refused, or read without the damaged value.
  @Test func aDamagedHeadIsReadWithinItsBounds() throws {
    let image = try Pictures.raw(.i420, 64, 48, .jpeg, Pictures.noise)
    let photo = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(longSide: 32, metadata: Self.everything))
    let head = Array(photo.bytes.prefix(1400))
    for count in head.indices { _ = try? JPEGDescription(Array(head.prefix(count))) }
    var damaged = 0
    for at in 30..<400 {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var bytes = head
        bytes[at] = value
        guard let described = try? JPEGDescription(bytes) else { continue }
        if described.metadata != Self.everything { damaged += 1 }
        if let iso = described.metadata.iso { #expect((1...65535).contains(iso)) }
        if let model = described.metadata.model { #expect(model.utf8.count <= 63) }
      }
    }
    #expect(damaged > 100)
  }

  /// A photo has only the listed tags, so it holds nothing private. GPS (0x8825), owner (0xA430), serial numbers (0xA431, 0xA435),
  /// host computer (0x013C), artist (0x013B), maker's notes (0x927C) and comments (0x9286) are not listed.
  @Test func nothingElseIsWritten() throws {
    let tags = try Tags(EXIF.tiff(.upright, Self.everything, size: PixelSize(width: 8, height: 8)))
    let allowed: Set<Int> = [
      0x010F, 0x0110, 0x0112, 0x011A, 0x011B, 0x0128, 0x0132, 0x0213, 0x8769, 0x829A, 0x8827, 0x9000, 0x9003,
      0x9010, 0x9011, 0x9101, 0x9204, 0x9290, 0x9291, 0xA000, 0xA001, 0xA002, 0xA003, 0xA402, 0xA403, 0xA404,
    ]
    #expect(Set(tags.values.keys) == allowed)
  }

  @Test func whatIsNotKnownIsNotWritten() throws {
    let tags = try Tags(EXIF.tiff(.upright, PhotoMetadata(), size: PixelSize(width: 8, height: 8)))
    for tag in [0x010F, 0x0110, 0x0132, 0x829A, 0x8827, 0x9003, 0x9204, 0xA402, 0xA403, 0xA404] {
      #expect(tags.values[tag] == nil, "0x\(String(tag, radix: 16))")
    }
  }

  @Test func withoutMetadataAnUprightPhotoSaysNothing() throws {
    let image = try Pictures.raw(.i420, 16, 16, .jpeg, Pictures.noise)
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    #expect(!bytes.indices.contains { bytes[$0...].starts(with: Array("Exif".utf8)) })
  }

  @Test func aPNGSaysTheSame() throws {
    let image = try Pictures.raw(.i420, 16, 16, .jpeg, Pictures.noise)
    let settings = PhotoSettings(container: .png, metadata: Self.everything)
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: settings).bytes
    let at = try #require(bytes.indices.first { bytes[$0...].starts(with: Array("eXIf".utf8)) })
    let tags = try Tags(Array(bytes[(at + 4)...]))
    #expect(tags.values[0x0110] == .text("HD Camera C920"))
    #expect(try ImageFile.read(bytes).notes.isEmpty)
  }

  /// Names come from a device. They are shortened, and reduced to printable ASCII.
  @Test(arguments: [
    (String(repeating: "x", count: 200), String(repeating: "x", count: 63)), ("A\u{1B}[2Jb\0c", "A[2Jbc"),
    ("Küche", "Kche"),
  ])
  func namesAreMadeSafe(name: String, written: String) throws {
    var metadata = PhotoMetadata()
    metadata.model = name
    let tags = try Tags(EXIF.tiff(.upright, metadata, size: PixelSize(width: 8, height: 8)))
    #expect(tags.values[0x0110] == .text(written))
    metadata.model = "\u{7}  "
    #expect(
      try Tags(EXIF.tiff(.upright, metadata, size: PixelSize(width: 8, height: 8))).values[0x0110] == nil)
  }

  @Test(arguments: [
    (1.0 / 48, Value.fraction(1, 48)), (0.0333, .fraction(1, 30)), (1.0 / 8000, .fraction(1, 8000)),
    (0.4, .fraction(400_000, 1_000_000)), (2, .fraction(2_000_000, 1_000_000)),
  ])
  func exposureTimesAreWrittenAsPhotographersReadThem(seconds: Double, value: Value) throws {
    var metadata = PhotoMetadata()
    metadata.exposureDuration = seconds
    let tags = try Tags(EXIF.tiff(.upright, metadata, size: PixelSize(width: 8, height: 8)))
    #expect(tags.values[0x829A] == value)
  }

  @Test(arguments: [0, -1, Double.nan, .infinity, 1e300, -1e300])
  func figuresThatCannotBeAreLeftOut(figure: Double) throws {
    var metadata = PhotoMetadata()
    (metadata.exposureDuration, metadata.iso, metadata.digitalZoom) = (figure, figure, figure)
    metadata.exposureBias = figure == 0 || figure == -1 ? nil : figure
    let tags = try Tags(EXIF.tiff(.upright, metadata, size: PixelSize(width: 8, height: 8)))
    for tag in [0x829A, 0x8827, 0x9204, 0xA404] { #expect(tags.values[tag] == nil) }
  }

  @Test func civilTimeCountsDaysBeforeAndAfter1970() {
    let moments: [(Int64, Int, [Int])] = [
      (0, 0, [1970, 1, 1, 0, 0, 0, 0]), (-1, 0, [1969, 12, 31, 23, 59, 59, 999]),
      (951_782_400_000_000_000, 60, [2000, 2, 29, 1, 0, 0, 0]),
    ]
    for (nanoseconds, offset, parts) in moments {
      let time = CivilTime(unixNanoseconds: nanoseconds, minutesAheadOfUTC: offset)
      #expect(
        [time.year, time.month, time.day, time.hour, time.minute, time.second, time.millisecond] == parts)
    }
  }
}

/// PHO-2: the three photo priorities differ, and each has its documented effect.
@Suite struct PhotoPriorityTests {
  /// Returns vertical stripes with a period of `period` pixels, in luma or in chroma.
  private func stripes(period: Double, inColour: Bool) throws -> PixelBuffer {
    try Pictures.raw(.i444, 1600, 300, .jpeg) { plane, x, _ in
      guard inColour == (plane > 0) else { return 128 }
      let wave = 70 * sin(Double(x) / period * 2 * .pi) * (plane == 2 ? -1 : 1)
      return UInt8(128 + wave)
    }
  }

  /// Returns the standard deviation in the middle row of green, or of red minus blue.
  private func swing(_ photo: Photo, inColour: Bool) throws -> Double {
    let shown = try PhotoPipelineTests.displayed(photo)
    let row = (20..<photo.size.width - 20).map { x in
      let rgb = Pictures.rgb(shown, x, photo.size.height / 2)
      return Double(inColour ? rgb[0] - rgb[2] : rgb[1])
    }
    let mean = row.reduce(0, +) / Double(row.count)
    return (row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(row.count)).squareRoot()
  }

  private func photo(_ image: PixelBuffer, _ priority: PhotoPriority) throws -> Photo {
    let settings = PhotoSettings(longSide: 390, quality: 95, maximumBytes: nil, priority: priority)
    return try PhotoPipeline().process(image, orientation: .upright, settings: settings)
  }

  /// Higher priorities of quality keep fine lines better. The frame is a JPEG picture, as from most webcams.
  @Test func finerLinesAreLeftTheMoreTimeAPhotoMayTake() throws {
    let lines = try stripes(period: 1600.0 / 390 * 2.5, inColour: false)
    let whole = PhotoSettings(longSide: nil, quality: 98, maximumBytes: nil)
    let bytes = try PhotoPipeline().process(lines, orientation: .upright, settings: whole).bytes
    let frame = try Pictures.jpeg(bytes, lines.format.size)
    let photos = try PhotoPriority.allCases.map { try photo(frame, $0) }
    let swings = try photos.map { try swing($0, inColour: false) }
    #expect(swings[0] < swings[1] * 0.97, "\(swings)")
    #expect(swings[1] <= swings[2] * 1.05, "\(swings)")
    #expect(Set(photos.map(\.size)).count == 1)
    #expect(Set(photos.map(\.bytes)).count == 3)
  }

  @Test func qualityKeepsTheColourOfFineLines() throws {
    let colours = try stripes(period: 1600.0 / 390 * 2.5, inColour: true)
    let swings = try PhotoPriority.allCases.map { try swing(photo(colours, $0), inColour: true) }
    #expect(swings[2] > swings[1] * 1.5, "\(swings)")
  }

  /// The priority alone decides a JPEG photo's chroma sampling, whatever look or bias is applied.
  @Test(arguments: PhotoPriority.allCases, [PixelFormat.nv12, .p010, .bgra])
  func theChromaOfAPhotoIsThatOfItsPriority(priority: PhotoPriority, format: PixelFormat) throws {
    let image = try PhotoPipelineTests.quadrants(format, 64, 48, .jpeg)
    for (look, bias) in [(nil, 0), (Cube.smooth(5), 0), (nil, 1), (Cube.smooth(5), -1)] as [(Cube?, Double)] {
      let settings = PhotoSettings(priority: priority, exposureBias: bias, look: try look?.look())
      let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: settings).bytes
      #expect(try lumaFactors(bytes) == (priority == .quality ? 0x11 : 0x22), "\(bias) \(look == nil)")
    }
  }

  /// Returns the number of luma samples for each chroma sample: horizontally in the upper four bits, vertically in the lower
  /// (ITU-T T.81, B.2.2).
  private func lumaFactors(_ bytes: [UInt8]) throws -> UInt8 {
    var at = 2
    while at + 12 < bytes.count, bytes[at] == 0xFF {
      if (0xC0...0xC2).contains(bytes[at + 1]) { return bytes[at + 11] }
      at += 2 + (Int(bytes[at + 2]) << 8 | Int(bytes[at + 3]))
    }
    throw ImageError.encodingFailed(format: "JPEG", reason: "there is no frame header")
  }

  /// Look, bias, zoom and metadata together: the look is applied after the bias, to the middle of the frame.
  @Test(arguments: [PixelFormat.nv12, .p010, .y210, .rgba], [0.0, 1, -1])
  func lookBiasZoomAndMetadataTogether(format: PixelFormat, bias: Double) throws {
    let image = try PhotoPipelineTests.quadrants(format, 320, 200, .jpeg)
    let (cube, gain) = (Cube.smooth(17), exp2(bias / 2.2))
    var metadata = PhotoMetadata()
    metadata.model = "Together"
    let settings = PhotoSettings(
      longSide: 80, quality: 95, maximumBytes: nil, priority: .quality, metadata: metadata, zoom: 2,
      exposureBias: bias, look: try cube.look())
    let photo = try PhotoPipeline().process(
      image, orientation: Orientation(rotation: .half), settings: settings)
    #expect(photo.size == PixelSize(width: 80, height: 50))
    #expect(String(decoding: photo.bytes.prefix(400).map { $0 & 0x7F }, as: UTF8.self).contains("Together"))
    let shown = try PhotoPipelineTests.displayed(photo)
    for (x, y) in [(20, 12), (60, 12), (20, 37), (60, 37)] {
      // The photo is upside down, and shows half of the frame's width and height.
      let bright = Reference.rgb(image, 80 + (79 - x) * 2, 50 + (49 - y) * 2).map { min($0 * gain, 255) }
      for (want, have) in zip(cube.codes(bright), Pictures.rgb(shown, x, y)) {
        #expect(abs(want - Double(have)) <= 6, "\(format) \(bias) \(x) \(y)")
      }
    }
  }

  @Test(arguments: PhotoPriority.allCases, PixelFormat.allCases.filter { $0 != .mjpeg })
  func everyFormatInEveryWay(priority: PhotoPriority, format: PixelFormat) throws {
    let image = try PhotoPipelineTests.quadrants(format, 300, 200, .jpeg)
    let settings = PhotoSettings(longSide: 70, priority: priority)
    let photo = try PhotoPipeline().process(
      image, orientation: Orientation(rotation: .clockwise90), settings: settings)
    #expect(photo.size == PixelSize(width: 47, height: 70))
    let shown = try PhotoPipelineTests.displayed(photo)
    // A clockwise quarter turn moves the lower left to the upper left.
    for (x, y, want) in [(10, 10, 150), (37, 10, 40), (10, 60, 210), (37, 60, 90)] {
      #expect(abs(Pictures.rgb(shown, x, y)[1] - want) <= 3, "\(format) \(priority)")
    }
  }
}

/// CTL-5: if the camera has no zoom, the photo is cropped around its centre.
@Suite struct PhotoZoomTests {
  /// The frame's luma increases to the right. The greatest zoom of a photo is 4.
  @Test(arguments: [1.0, 2, 4, 9], [Orientation.upright, Orientation(rotation: .clockwise90)])
  func thePhotoShowsTheMiddle(zoom: Double, orientation: Orientation) throws {
    let image = try Pictures.raw(.i444, 400, 240, .jpeg) { plane, x, y in
      plane == 0 ? UInt8(x / 2 + 20) : 128
    }
    let settings = PhotoSettings(longSide: 100, quality: 95, zoom: zoom)
    let photo = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
    #expect(photo.size == orientation.applied(to: PixelSize(width: 100, height: 60)))
    let shown = try PhotoPipelineTests.displayed(photo)
    let factor = min(zoom, 4)
    for along in [5, 50, 95] {
      let place = orientation == .upright ? (along, 30) : (30, along)
      let x = 200 + (Double(along) + 0.5 - 50) * 4 / factor
      let have = Pictures.rgb(shown, place.0, place.1)[1]
      #expect(abs(Double(have) - (x / 2 + 20)) <= 3, "\(zoom) \(along)")
    }
  }

  @Test func aJPEGFrameIsZoomedToo() throws {
    let image = try Pictures.raw(.i444, 400, 240, .jpeg) { plane, x, _ in plane == 0 ? UInt8(x / 2 + 20) : 128
    }
    let whole = PhotoSettings(longSide: nil, quality: 98, maximumBytes: nil)
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: whole).bytes
    let frame = try Pictures.jpeg(bytes, image.format.size)
    for priority in PhotoPriority.allCases {
      let settings = PhotoSettings(longSide: 50, quality: 95, priority: priority, zoom: 2)
      let photo = try PhotoPipeline().process(frame, orientation: .upright, settings: settings)
      #expect(photo.size == PixelSize(width: 50, height: 30))
      let shown = try PhotoPipelineTests.displayed(photo)
      for along in [3, 25, 46] {
        let x = 200 + (Double(along) + 0.5 - 25) * 4
        #expect(abs(Double(Pictures.rgb(shown, along, 15)[1]) - (x / 2 + 20)) <= 3, "\(priority) \(along)")
      }
    }
  }
}

/// CTL-1: exposure compensation by the engine, for cameras that have none.
@Suite struct DigitalExposureTests {
  @Test(arguments: [(1.0, 100, 137), (-1, 100, 73), (0, 100, 100), (4, 200, 255)])
  func aGreyIsMultiplied(bias: Double, from: Int, to: Int) throws {
    for format in [PixelFormat.i420, .nv12, .bgra] {
      let image = try Pictures.raw(format, 64, 64, .jpeg) { plane, _, _ in plane == 0 ? UInt8(from) : 128 }
      let settings = PhotoSettings(quality: 98, exposureBias: bias)
      let photo = try PhotoPipeline().process(image, orientation: .upright, settings: settings)
      let have = Pictures.rgb(try PhotoPipelineTests.displayed(photo), 30, 30)
      for code in have { #expect(abs(code - to) <= 2, "\(format) \(bias)") }
    }
  }

  @Test func coloursKeepTheirTint() throws {
    let image = try Pictures.raw(.i444, 64, 64, .jpeg) { plane, _, _ in [80, 110, 150][plane] }
    let plain = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(quality: 98))
    let brighter = try PhotoPipeline().process(
      image, orientation: .upright, settings: PhotoSettings(quality: 98, exposureBias: 1))
    let before = Pictures.rgb(try PhotoPipelineTests.displayed(plain), 30, 30)
    let after = Pictures.rgb(try PhotoPipelineTests.displayed(brighter), 30, 30)
    for (one, other) in zip(before, after) { #expect(abs(Double(one) * 1.37 - Double(other)) <= 4) }
  }

  @Test func nonsenseIsNothing() {
    #expect(DigitalExposure(bias: .nan).bias == 0 && DigitalExposure(bias: .infinity).bias == 4)
    #expect(DigitalExposure(bias: 0).lumaTable == Array(0...255))
  }
}
