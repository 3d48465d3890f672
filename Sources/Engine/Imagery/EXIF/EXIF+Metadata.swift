extension EXIF {
  /// A TIFF structure with the orientation and the known metadata of the photo in the tags of Exif 2.32 (CIPA DC-008), big-endian.
  /// - Parameter size: the size of the stored picture.
  public static func tiff(_ orientation: Orientation, _ metadata: PhotoMetadata, size: PixelSize) -> [UInt8] {
    let (exposure, start) = (details(metadata, size), 8)
    var main = overview(orientation, metadata)
    // The first directory contains the offset of the second. Its length does not depend on that value, so measure it with a zero.
    main.add(0x8769, .long(0))
    let second = start + main.byteCount
    main = overview(orientation, metadata)
    main.add(0x8769, .long(UInt32(second)))
    return [0x4D, 0x4D, 0, 42, 0, 0, 0, UInt8(start)] + main.bytes(at: start) + exposure.bytes(at: second)
  }

  /// A whole JPEG APP1 segment; empty if there is nothing to write.
  /// - Parameter metadata: nil writes only the orientation, and only if it is not upright.
  static func application1(_ orientation: Orientation, _ metadata: PhotoMetadata?, size: PixelSize) -> [UInt8]
  {
    guard let metadata else { return orientation == .upright ? [] : application1(orientation) }
    let body = [UInt8]("Exif\0\0".utf8) + tiff(orientation, metadata, size: size)
    return [0xFF, 0xE1] + bigEndian(UInt16(body.count + 2)) + body
  }

  /// The first directory: the picture as a whole.
  private static func overview(_ orientation: Orientation, _ metadata: PhotoMetadata) -> TIFFDirectory {
    var directory = TIFFDirectory()
    directory.add(0x010F, text(metadata.make))
    directory.add(0x0110, text(metadata.model))
    directory.add(0x0112, .short(UInt16(orientation.exif)))
    // 72 pixels an inch means "unknown"; the tag is mandatory.
    directory.add(0x011A, .rational(72, 1))
    directory.add(0x011B, .rational(72, 1))
    directory.add(0x0128, .short(2))
    directory.add(0x0132, metadata.time.map { .ascii($0.exifText) })
    // Chroma sites are centred on their luma.
    directory.add(0x0213, .short(1))
    return directory
  }

  /// The Exif directory: the exposure.
  private static func details(_ metadata: PhotoMetadata, _ size: PixelSize) -> TIFFDirectory {
    var directory = TIFFDirectory()
    directory.add(0x829A, metadata.exposureDuration.flatMap(seconds))
    directory.add(
      0x8827, metadata.iso.flatMap { (1...65535).contains($0) ? .short(UInt16($0.rounded())) : nil })
    directory.add(0x9000, .undefined(Array("0232".utf8)))
    directory.add(0x9003, metadata.time.map { .ascii($0.exifText) })
    directory.add(0x9010, metadata.time.map { .ascii($0.exifOffset) })
    directory.add(0x9011, metadata.time.map { .ascii($0.exifOffset) })
    // Y, Cb, Cr.
    directory.add(0x9101, .undefined([1, 2, 3, 0]))
    directory.add(0x9204, metadata.exposureBias.flatMap(hundredths))
    directory.add(0x9290, metadata.time.map { .ascii($0.exifFraction) })
    directory.add(0x9291, metadata.time.map { .ascii($0.exifFraction) })
    directory.add(0xA000, .undefined(Array("0100".utf8)))
    // sRGB.
    directory.add(0xA001, .short(1))
    directory.add(0xA002, .long(UInt32(size.width)))
    directory.add(0xA003, .long(UInt32(size.height)))
    directory.add(0xA402, metadata.isExposureManual.map { .short($0 ? 1 : 0) })
    directory.add(0xA403, metadata.isWhiteBalanceManual.map { .short($0 ? 1 : 0) })
    directory.add(0xA404, metadata.digitalZoom.flatMap(zoom))
    return directory
  }

  /// Printable ASCII, at most 63 characters; nil if none remain. Device names are untrusted.
  private static func text(_ text: String?) -> TIFFDirectory.Value? {
    guard let text else { return nil }
    let printable = text.unicodeScalars.filter { (0x20...0x7E).contains($0.value) }.prefix(63)
    var plain = ""
    for scalar in printable { plain.unicodeScalars.append(scalar) }
    return plain.allSatisfy { $0 == " " } ? nil : .ascii(plain)
  }

  /// The duration as one over a whole number if it is close to that, such as 1/50 s; otherwise in microseconds.
  private static func seconds(_ duration: Double) -> TIFFDirectory.Value? {
    guard duration > 1e-6, duration < 4000 else { return nil }
    let parts = (1 / duration).rounded()
    if duration < 0.5, abs(1 / parts - duration) <= duration * 0.004 { return .rational(1, UInt32(parts)) }
    return .rational(UInt32((duration * 1e6).rounded()), 1_000_000)
  }

  private static func hundredths(_ bias: Double) -> TIFFDirectory.Value? {
    guard abs(bias) <= 99 else { return nil }
    return .signedRational(Int32((bias * 100).rounded()), 100)
  }

  private static func zoom(_ factor: Double) -> TIFFDirectory.Value? {
    guard factor >= 1, factor <= 1000 else { return nil }
    return .rational(UInt32((factor * 100).rounded()), 100)
  }
}
