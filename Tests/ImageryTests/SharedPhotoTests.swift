import CTurboJPEG
import Testing

@testable import Imagery

/// Two threads make the same photos as one, byte for byte.
struct SharedPhotoTests {
  private func photo(
    _ frame: PixelBuffer, _ orientation: Orientation, _ settings: PhotoSettings, _ use: PhotoThreads.Use
  ) throws -> Photo {
    try PhotoPipeline(damage: .keep, threads: use)
      .process(frame, orientation: orientation, settings: settings)
  }

  private func frame(_ format: PixelFormat, _ width: Int, _ height: Int) throws -> PixelBuffer {
    guard format == .mjpeg else {
      return try Pictures.raw(format, width, height) { plane, x, y -> UInt8 in
        let noise = Int(Pictures.noise(plane, x / 3, y / 5))
        let value: Int = (noise + x + 2 * y) / 4
        return UInt8(20 + value % 200)
      }
    }
    let size = PixelSize(width: width, height: height)
    return try Pictures.jpeg(
      EncodedJPEG.picture(size, sampling: Int32(TJSAMP_422.rawValue), quality: 70), size)
  }

  private func expectSame(
    _ frame: PixelBuffer, _ orientation: Orientation, _ settings: PhotoSettings
  ) throws {
    let one = try photo(frame, orientation, settings, .never)
    let two = try photo(frame, orientation, settings, .always)
    #expect(one.bytes == two.bytes, "\(frame.format.pixelFormat) \(orientation) \(settings.priority)")
    #expect(one.timings.helper == .zero)
    #expect(two.timings.helper <= two.timings.processor)
  }

  @Test(arguments: PixelFormat.allCases) func everyFormat(format: PixelFormat) throws {
    let settings = PhotoSettings(longSide: 500, maximumBytes: nil)
    for turn in [Orientation.upright, Orientation(rotation: .clockwise90)] {
      try expectSame(frame(format, 902, 506), turn, settings)
    }
  }

  private static let turns = [Rotation.none, .clockwise90, .half, .clockwise270].flatMap { rotation in
    [false, true].map { Orientation(rotation: rotation, isMirrored: $0) }
  }

  /// The photo is scaled, halved several times, or only rotated, from frames of odd sizes.
  @Test(arguments: turns, PhotoPriority.allCases) func everyTurn(turn: Orientation, priority: PhotoPriority)
    throws
  {
    for (format, width, height) in [(PixelFormat.nv12, 617, 455), (.i444, 333, 501), (.grey, 700, 301)] {
      let frame = try frame(format, width, height)
      for longSide in [700, 311, 40] {
        var settings = PhotoSettings(longSide: longSide, maximumBytes: nil)
        settings.priority = priority
        try expectSame(frame, turn, settings)
      }
    }
  }

  /// Returns the planes encoded by libjpeg-turbo in one piece, rather than in bands.
  private func wholly(_ image: PlanarImage, _ quality: Int32) throws -> [UInt8] {
    let handle = try #require(tjInitCompress())
    defer { tjDestroy(handle) }
    var (out, count) = (nil as UnsafeMutablePointer<UInt8>?, UInt(0))
    defer { tjFree(out) }
    image.repeatEdges()
    let status = image.planes.withPointers { bases, strides in
      bases.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) {
        tjCompressFromYUVPlanes(
          handle, $0, Int32(image.size.width), strides, Int32(image.size.height), image.sampling.turboJPEG,
          &out, &count, quality, 0)
      }
    }
    try #require(status == 0)
    return Array(UnsafeBufferPointer(start: out, count: Int(count)))
  }

  private func samples(_ bytes: [UInt8]) throws -> [[UInt8]] {
    let decoder = JPEGDecoder(baseline: nil)
    return try bytes.withUnsafeBytes { bytes in
      let (image, notes) = try decoder.decode(bytes, JPEGHeader(bytes))
      #expect(notes.isEmpty)
      return withExtendedLifetime(decoder) {
        image.planes.indices.map { index in
          let size = image.planeSize(index)
          return (0..<size.height).flatMap {
            Array(UnsafeBufferPointer(start: image.planes[index].row($0), count: size.width))
          }
        }
      }
    }
  }

  /// The bands together decode to the same samples as a picture encoded in one piece, and are at most 60 bytes longer.
  @Test(
    arguments: [ChromaSampling.s420, .s444, .s422, .s440, .s411, .monochrome],
    [(640, 480), (633, 479), (449, 450), (20_000, 11)])
  func codedInBandsIsCodedWhole(sampling: ChromaSampling, size: (Int, Int)) throws {
    let size = PixelSize(width: size.0, height: size.1)
    let scratch = Scratch()
    let image = try scratch.planar(size, sampling, color: .jpeg)
    for (index, plane) in image.planes.enumerated() {
      for row in 0..<plane.height {
        for x in 0..<plane.bytesPerRow { plane.row(row)[x] = UInt8((x * 3 + row * 5 + index * 40) / 4 % 256) }
      }
    }
    let encoders = [JPEGEncoder(), JPEGEncoder(threads: PhotoThreads(.always))]
    let photos = try encoders.map { try $0.encode(image, quality: 85, orientation: .upright) }
    let whole = try withExtendedLifetime(scratch) { try wholly(image, 85) }
    #expect(photos[0] == photos[1])
    #expect(try samples(photos[0]) == samples(whole))
    #expect(photos[0].count <= whole.count + 60)
    let interval = try photos[0].withUnsafeBytes { try JPEGHeader($0).restartInterval }
    #expect((interval > 0) == (CodedBands(size, sampling).rows.count > 1))
  }

  @Test func theIntervalsOfTheLargestPicturesFitTheirMarker() {
    for sampling in [ChromaSampling.s420, .s444, .s411] {
      for (width, height) in [(65_535, 1), (65_535, 65_535), (20_000, 20_000), (1, 65_535), (8, 65_500)] {
        let bands = CodedBands(PixelSize(width: width, height: height), sampling)
        #expect((0...65_535).contains(bands.interval))
        #expect(bands.rows.rows % (8 * sampling.vertical) == 0)
        #expect(bands.rows.count == 1 || bands.interval > 0)
      }
    }
  }
}
