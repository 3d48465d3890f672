/// The size and the metadata of a photo, from its file's header.
package struct JPEGDescription: Equatable, Sendable {
  /// The size in pixels of the upright picture.
  package let size: PixelSize
  /// The metadata that EXIF gives; empty without EXIF, or if it is damaged.
  package let metadata: PhotoMetadata

  /// Reads the header, for which a file's first bytes suffice.
  /// - Throws: `unrecognised`, `truncated` if the header goes on behind `bytes`, `corrupt`, `tooLarge`, `unsupported`.
  package init(_ bytes: [UInt8]) throws(ImageError) {
    // `withUnsafeBytes` does not pass on typed errors.
    let result = bytes.withUnsafeBytes { raw in
      Result { () throws(ImageError) in try Self.read(raw) }
    }
    (size, metadata) = try result.get()
  }

  private static func read(
    _ bytes: UnsafeRawBufferPointer
  ) throws(ImageError) -> (PixelSize, PhotoMetadata) {
    guard JPEGHeader.isJPEG(bytes) else { throw .unrecognised }
    let header = try JPEGHeader(bytes)
    guard let exif = header.exif else { return (header.size, PhotoMetadata()) }
    let block = UnsafeRawBufferPointer(rebasing: bytes[exif])
    let isTurned = EXIF.orientation(tiff: block)?.rotation.swapsAxes ?? false
    return (isTurned ? header.size.transposed : header.size, EXIF.metadata(tiff: block))
  }
}

extension EXIF {
  /// The metadata that `tiff(_:_:size:)` writes, as any camera may have written them. A value that is damaged, or outside its range, is left out.
  static func metadata(tiff bytes: UnsafeRawBufferPointer) -> PhotoMetadata {
    var metadata = PhotoMetadata()
    guard let reader = try? TIFFReader(bytes) else { return metadata }
    func entry(_ tag: Int, _ directory: Int) -> TIFFReader.Entry? { try? reader.entry(tag, of: directory) }
    metadata.make = entry(0x010F, reader.first).flatMap(reader.text)
    metadata.model = entry(0x0110, reader.first).flatMap(reader.text)
    guard let exif = reader.directory(0x8769, of: reader.first) else { return metadata }
    func text(_ tag: Int) -> String? { entry(tag, exif).flatMap(reader.text) }
    func number(_ tag: Int, in range: ClosedRange<Int>) -> Int? {
      entry(tag, exif).flatMap(reader.number).flatMap { range.contains($0) ? $0 : nil }
    }
    func ratio(_ tag: Int, in range: ClosedRange<Double>) -> Double? {
      entry(tag, exif).flatMap(reader.ratio).flatMap { range.contains($0) ? $0 : nil }
    }
    if let time = text(0x9003), let offset = text(0x9011) {
      metadata.time = CivilTime(exif: time, offset: offset, fraction: text(0x9291))
    }
    metadata.exposureDuration = ratio(0x829A, in: 1e-6...4000)
    metadata.iso = number(0x8827, in: 1...65535).map(Double.init)
    metadata.exposureBias = ratio(0x9204, in: -99...99)
    metadata.isExposureManual = number(0xA402, in: 0...1).map { $0 == 1 }
    metadata.isWhiteBalanceManual = number(0xA403, in: 0...1).map { $0 == 1 }
    metadata.digitalZoom = ratio(0xA404, in: 1...1000)
    return metadata
  }
}
