@testable import Imagery

extension FuzzTarget {
  static let pictures = [jpeg, baselineJPEG, png, exif, cube, profile]

  /// Pictures with more pixels are read only up to their header, because they would be slow.
  private static let mostPixels = 1 << 18

  private static let jpeg = FuzzTarget(
    name: "jpeg", longest: 16_384,
    files: ["../shared/data/malformed", "../shared/data/exif_orientation", "Fuzzing/Seeds/jpeg"]
  ) { bytes in
    guard let header = try? JPEGHeader(bytes) else { return }
    hold(header.size.width > 0 && header.size.height > 0, "a size of \(header.size)")
    hold(header.scanStart <= bytes.count, "a scan outside the file")
    hold(header.start + 2 <= header.scanStart, "a start behind the scan")
    let alone = header.alone(in: bytes)
    hold((try? JPEGHeader(alone.bytes))?.size == header.size, "another picture by itself")
    if let exif = header.exif { hold(exif.upperBound <= bytes.count, "EXIF outside the file") }
    guard header.size.area <= mostPixels else { return }
    for eighths in [8, 3, 1] {
      // Each scale gets a new decoder, so that no larger memory from an earlier picture hides an overrun.
      let decoder = JPEGDecoder(threads: PhotoThreads(eighths == 3 ? .always : .never))
      guard let (image, _) = try? decoder.decode(bytes, header, eighths: eighths) else { continue }
      // The decoder owns the planes.
      defer { withExtendedLifetime(decoder) {} }
      for plane in image.planes { for row in 0..<plane.height { _ = plane.pointer[row * plane.bytesPerRow] } }
    }
  }

  /// Compares the decoders. If the baseline decoder gives a picture, libjpeg-turbo gives it without a warning and within one level.
  /// Two threads give the picture of one, and plain C gives that of AVX2 or NEON.
  private static let baselineJPEG = FuzzTarget(
    name: "baseline-jpeg", longest: 16_384,
    files: ["../shared/data/malformed", "../shared/data/exif_orientation", "Fuzzing/Seeds/jpeg"]
  ) { bytes in
    guard let header = try? JPEGHeader(bytes), header.size.area <= mostPixels else { return }
    for eighths in 1...8 {
      let (scratch, other) = (Scratch(), Scratch())
      let ours = try? BaselineJPEG(when: .itIsThere)?.decode(bytes, header, eighths: eighths, into: scratch)
      if header.restartInterval > 0 {
        let threads = PhotoThreads(.always)
        let shared = try? BaselineJPEG(when: .itIsThere, threads: threads)?
          .decode(bytes, header, eighths: eighths, into: other)
        hold((ours == nil) == (shared == nil), "a picture that one thread has, or two, but not both")
        if let ours, let shared { hold(mostDifference(ours, shared) == 0, "two threads have other samples") }
      }
      let plain = try? BaselineJPEG(when: .itIsThere, isPlain: true)?
        .decode(bytes, header, eighths: eighths, into: other)
      hold((ours == nil) == (plain == nil), "a picture that plain C has, or the vectors, but not both")
      if let ours, let plain { hold(mostDifference(ours, plain) == 0, "plain C has other samples") }
      guard let ours else { continue }
      let reference = JPEGDecoder(baseline: nil)
      guard let (theirs, notes) = try? reference.decode(bytes, header, eighths: eighths) else {
        return hold(false, "a picture that libjpeg-turbo refuses")
      }
      // The scratch objects and the decoder own the planes.
      defer { withExtendedLifetime((scratch, other, reference)) {} }
      hold(notes.isEmpty, "a picture of which libjpeg-turbo warns: \(notes)")
      hold(ours.size == theirs.size && ours.sampling == theirs.sampling, "another shape")
      hold(
        mostDifference(ours, theirs) <= 1,
        "samples \(mostDifference(ours, theirs)) levels apart at \(eighths)/8")
    }
  }

  private static func mostDifference(_ one: PlanarImage, _ other: PlanarImage) -> Int {
    var most = 0
    for index in 0..<one.planes.count {
      let size = one.planeSize(index)
      for y in 0..<size.height {
        let (a, b) = (one.planes[index].row(y), other.planes[index].row(y))
        for x in 0..<size.width { most = max(most, abs(Int(a[x]) - Int(b[x]))) }
      }
    }
    return most
  }

  private static let png = FuzzTarget(
    name: "png", longest: 16_384, files: ["../shared/data/malformed", "Fuzzing/Seeds/png"]
  ) { bytes in
    guard let header = try? PNGCodec.Header(bytes) else { return }
    if let exif = header.exif { hold(exif.upperBound <= bytes.count, "EXIF outside the file") }
    guard header.size.area <= mostPixels, let file = try? ImageFile.read(Array(bytes)) else { return }
    hold(file.image.format.size == header.size, "another size than the header's")
  }

  private static let cube = FuzzTarget(
    name: "cube", longest: 2048,
    seeds: [
      [UInt8](
        "TITLE \"a\"\nLUT_3D_SIZE 2\nDOMAIN_MIN 0 0 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 0 1\n1 0 1\n0 1 1\n1 1 1\n"
      ),
      [UInt8]("LUT_1D_SIZE 2\nLUT_1D_INPUT_RANGE -1 2\n# a\n0 0 0\n.5e0 -1 +2\n"),
    ],
    files: ["../shared/data/luts/derived", "../shared/data/luts/colour"]
  ) { bytes in
    guard let look = try? ColorLookup(cube: Array(bytes)) else { return }
    for value in [-1, 0, 0.3, 1, 2] {
      let color = look.color(red: value, green: 1 - value, blue: 0.5)
      hold(color.red.isFinite && color.green.isFinite && color.blue.isFinite, "no colour of \(value)")
    }
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 16, height: 2), color: .jpeg)
    guard let image = try? PixelBufferPool().makeBuffer(format) else { return }
    for place in 0..<image.planes[0].byteCount {
      image.planes[0].pointer[place] = UInt8(truncatingIfNeeded: place &* 97)
    }
    hold((try? look.apply(to: image)) != nil, "a look that was read could not be used")
  }

  /// Reads colour profiles with our own reader and with LittleCMS.
  private static let profile = FuzzTarget(
    name: "profile", longest: 8192, files: ["Fuzzing/Seeds/profile"]
  ) { bytes in
    guard let profile = ICCProfile(bytes), let conversion = try? ColorConversion(bytes, profile.space) else {
      return
    }
    hold(conversion.greys.count == 256, "not all greys")
    let format = ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 16, height: 2), color: .jpeg)
    guard let image = try? PixelBufferPool().makeBuffer(format) else { return }
    for place in 0..<image.planes[0].byteCount {
      image.planes[0].pointer[place] = UInt8(truncatingIfNeeded: place &* 97)
    }
    conversion.apply(to: image.planes[0], width: 16)
  }

  private static let exif = FuzzTarget(
    name: "exif", longest: 512, seeds: (1...8).compactMap { Orientation(exif: $0).map(EXIF.tiff) }
  ) { bytes in
    _ = EXIF.isAdobeRGB(tiff: bytes)
    let metadata = EXIF.metadata(tiff: bytes)
    let again = EXIF.tiff(.upright, metadata, size: PixelSize(width: 8, height: 8)).withUnsafeBytes {
      EXIF.metadata(tiff: $0)
    }
    hold(again.time == metadata.time && again.iso == metadata.iso, "\(metadata) is read back as \(again)")
    guard case .orientation(let orientation) = EXIF.read(tiff: bytes) else { return }
    let written = EXIF.tiff(orientation).withUnsafeBytes { EXIF.orientation(tiff: $0) }
    hold(written == orientation, "\(orientation) is written as \(String(describing: written))")
  }
}
