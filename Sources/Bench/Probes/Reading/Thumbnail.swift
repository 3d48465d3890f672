package import Imagery

/// A small picture for the report.
package enum Thumbnail {
  package static func jpeg(of picture: PixelBuffer, longSide: Int = 320) throws -> [UInt8] {
    var settings = PhotoSettings()
    settings.longSide = longSide
    settings.quality = 70
    return try PhotoPipeline().process(picture, orientation: .upright, settings: settings).bytes
  }
}
