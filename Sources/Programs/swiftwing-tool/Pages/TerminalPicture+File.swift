import Console
import Imagery

extension TerminalPicture {
  /// Decodes a JPEG or PNG file and turns it upright: a spine's crop, or another picture of at most ``sideLimit`` pixels a side.
  /// - Throws: the errors of ``ImageFile/read(_:)`` and of decoding; `tooLarge`.
  init(file bytes: [UInt8]) throws(ImageError) {
    let (stored, orientation, _) = try ImageFile.read(bytes)
    let size = stored.format.size
    let limit = "\(Self.sideLimit) pixels a side"
    guard size.longSide <= Self.sideLimit else {
      throw .tooLarge(what: "a picture of \(size) pixels for a terminal", limit: limit)
    }
    var image = stored
    if orientation != .upright {
      let settings = PhotoSettings(longSide: nil, maximumLongSide: Self.sideLimit, maximumBytes: nil)
      let turned = try PhotoPipeline().process(stored, orientation: orientation, settings: settings)
      image = try ImageFile.read(turned.bytes).image
    }
    let pixels = try ImageConverter(pool: PixelBufferPool()).convert(image, to: .rgb24, color: .jpeg)
    let (plane, shown) = (pixels.planes[0], pixels.format.size)
    let rgb = (0..<shown.height).flatMap { row in
      UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: shown.width * 3)
    }
    guard let picture = TerminalPicture(width: shown.width, height: shown.height, rgb: rgb) else {
      throw .tooLarge(what: "a picture of \(shown) pixels for a terminal", limit: limit)
    }
    self = picture
  }
}
