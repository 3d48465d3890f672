import CTurboJPEG
import Imagery
import Testing

/// Pictures with incomplete data are refused. Pictures with complete data are accepted, even if they end untidily.
@Suite struct DamagedJPEGTests {
  private static let size = PixelSize(width: 160, height: 120)

  /// Returns a JPEG picture, and the offset of its data.
  private static func picture() throws -> (bytes: [UInt8], scan: Int) {
    let image = try Pictures.raw(.i420, size.width, size.height, .jpeg) { plane, x, y in
      plane == 0
        ? UInt8((x * 3 + y * 5 + Int(Pictures.noise(plane, x / 4, y / 4)) / 2) % 256) : UInt8(90 + x % 64)
    }
    let bytes = try PhotoPipeline().process(image, orientation: .upright, settings: PhotoSettings()).bytes
    return (bytes, try scan(bytes))
  }

  private static func scan(_ bytes: [UInt8]) throws -> Int {
    let marker = try #require(bytes.indices.dropLast().last { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA })
    return marker + 2 + Int(bytes[marker + 3])
  }

  private func shown(_ bytes: [UInt8]) throws -> [UInt8] {
    let surface = try Pictures.surface(Self.size.width, Self.size.height)
    try PreviewRenderer().render(Pictures.jpeg(bytes, Self.size), orientation: .upright, into: surface)
    return Array(UnsafeRawBufferPointer(start: surface.planes[0].base, count: surface.planes[0].byteCount))
  }

  private func photo(_ bytes: [UInt8], _ damage: DamagePolicy) throws -> Photo {
    let image = try Pictures.jpeg(bytes, Self.size)
    return try PhotoPipeline(damage: damage).process(
      image, orientation: .upright, settings: PhotoSettings(preservesEncoding: false))
  }

  /// The data are cut at a percentage of their length, with or without an end marker.
  @Test(arguments: [20, 50, 80, 97], [false, true]) func aPictureThatIsCutShortIsRefused(
    percent: Int, isEnded: Bool
  ) throws {
    let (whole, scan) = try Self.picture()
    let cut =
      Array(whole.prefix(scan + (whole.count - 2 - scan) * percent / 100)) + (isEnded ? [0xFF, 0xD9] : [])
    #expect(
      throws: ImageError.corrupt(format: "JPEG", reason: "Corrupt JPEG data: premature end of data segment")
    ) {
      try shown(cut)
    }
    #expect(throws: ImageError.self) { try photo(cut, .refuse) }
    #expect(throws: ImageError.self) {
      try ImageConverter(pool: PixelBufferPool(), damage: .refuse)
        .convert(Pictures.jpeg(cut, Self.size), to: .nv12, color: .jpeg)
    }
    #expect(try photo(cut, .keep).notes.count == 1)
  }

  /// The marker of the quantisation tables is lost. libjpeg first warns of stray bytes, and then fails without a sample.
  @Test(arguments: [DamagePolicy.keep, .refuse]) func anErrorAfterAWarningIsAnError(policy: DamagePolicy)
    throws
  {
    var (bytes, _) = try Self.picture()
    let tables = bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDB }
    try #require(!tables.isEmpty)
    for table in tables { (bytes[table], bytes[table + 1]) = (0x00, 0x00) }
    #expect(throws: ImageError.self) { try photo(bytes, policy) }
    #expect(throws: ImageError.self) { try shown(bytes) }
  }

  /// Another marker amid the data means mixed-up buffers: the end of one picture follows the beginning of another.
  @Test func aMarkerAmidTheDataIsRefused() throws {
    var (bytes, scan) = try Self.picture()
    let middle = (scan + bytes.count) / 2
    (bytes[middle], bytes[middle + 1]) = (0xFF, 0xE1)
    #expect(throws: ImageError.self) { try shown(bytes) }
    #expect(try photo(bytes, .keep).notes.count == 1)
  }

  /// Some Logitech cameras send stray bytes before every restart marker. libjpeg's warnings about these must not hide that the end
  /// is missing.
  @Test(arguments: [nil, 30, 60, 90]) func strayBytesBeforeRestartMarkersHideNoMissingEnd(percent: Int?)
    throws
  {
    var bytes = try Self.restarting()
    let scan = try Self.scan(bytes)
    for at in (scan..<bytes.count - 3).reversed()
    where bytes[at] == 0xFF && (0xD0...0xD7).contains(bytes[at + 1]) {
      bytes.insert(contentsOf: [0, 0], at: at)
    }
    if let percent {
      bytes = Array(bytes.prefix(scan + (bytes.count - 2 - scan) * percent / 100))
      #expect(throws: ImageError.self) { try shown(bytes) }
    } else {
      let isTheSame = try shown(bytes) == shown(Self.restarting())
      #expect(isTheSame)
    }
    #expect(try photo(bytes, .keep).notes.count == 1)
  }

  /// Returns a picture with a restart marker after each row of blocks. Each interval is encoded as a picture of one row.
  private static func restarting() throws -> [UInt8] {
    let rows = try (0..<size.height / 8).map { try row($0) }
    var bytes = Array(rows[0].bytes.prefix(rows[0].scan))
    let frame = try #require(bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    bytes[frame + 6] = UInt8(size.height)
    bytes.insert(contentsOf: [0xFF, 0xDD, 0, 4, 0, UInt8(size.width / 16)], at: frame)
    for (index, row) in rows.enumerated() {
      bytes += row.bytes[row.scan..<row.bytes.count - 2]
      bytes += [0xFF, index == rows.count - 1 ? 0xD9 : 0xD0 + UInt8(index % 8)]
    }
    return bytes
  }

  private static func row(_ index: Int) throws -> (bytes: [UInt8], scan: Int) {
    let pixels = (0..<size.width * 8 * 3).map { place -> UInt8 in
      let noise = Int(Pictures.noise(index, place / 12, 0)) / 2
      return UInt8((place / 3 % size.width + index * 9 + noise) % 256)
    }
    let handle = tjInitCompress()
    defer { tjDestroy(handle) }
    var (out, count) = (nil as UnsafeMutablePointer<UInt8>?, UInt(0))
    let status = tjCompress2(
      handle, pixels, Int32(size.width), 0, 8, Int32(TJPF_RGB.rawValue), &out, &count,
      Int32(TJSAMP_422.rawValue), 90, 0)
    defer { tjFree(out) }
    try #require(status == 0)
    let bytes = Array(UnsafeBufferPointer(start: out, count: Int(count)))
    return (bytes, try scan(bytes))
  }

  /// The data are complete and end as cameras end them: without a marker, with padding after the marker, with remains of a larger
  /// frame, or with stray bytes before the marker.
  @Test(arguments: 0..<5) func wholeDataAreAPictureHoweverTheyEnd(ending: Int) throws {
    let (whole, _) = try Self.picture()
    let data = Array(whole.dropLast(2))
    let ends: [(start: [UInt8], end: [UInt8])] = [
      (data, []), (data, [0xFF]), (whole, [UInt8](repeating: 0, count: 5000)),
      (whole, (0..<5000).map { UInt8($0 % 251) }), (data, [0, 0, 0xFF, 0xD9]),
    ]
    let bytes = ends[ending].start + ends[ending].end
    let isTheSame = try shown(bytes) == shown(whole)
    #expect(isTheSame)
    #expect(try photo(bytes, .refuse).bytes == photo(whole, .keep).bytes)
  }
}
