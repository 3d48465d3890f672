import Foundation
import Harness
import Imagery

/// A picture inside of a page, so that the page needs no other file.
enum PhotoPicture {
  /// A small upright copy of a photograph; a sentence when there can be none.
  /// - Parameters:
  ///   - file: of the photograph.
  ///   - alt: what the copy shows, for who does not see it.
  ///   - longSide: most that the copy has, pixels.
  ///   - maximumBytes: most that the copy has before it is written in base64, which makes four bytes of three.
  static func html(_ file: String, alt: String, longSide: Int, maximumBytes: Int) -> String {
    do {
      let (image, orientation, _) = try ImageFile.read(PhotoScan.contents(file))
      return try html(image, orientation, alt: alt, longSide: longSide, maximumBytes: maximumBytes)
    } catch {
      return "<p>\(HTMLText.escape("No picture: \(error)"))</p>"
    }
  }

  /// The same of one that has been read.
  /// - Throws: as decoding does.
  static func html(
    _ image: PixelBuffer, _ orientation: Orientation, alt: String, longSide: Int, maximumBytes: Int
  ) throws(ImageError) -> String {
    let settings = PhotoSettings(longSide: longSide, quality: 70, maximumBytes: maximumBytes)
    let copy = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
    return html(copy.bytes, copy.size, alt: alt)
  }

  /// A JPEG file as it is.
  /// - Parameter kind: its class in the style.
  static func html(_ jpeg: [UInt8], _ size: PixelSize, alt: String, kind: String? = nil) -> String {
    #"<img \#(kind.map { "class=\"\($0)\" " } ?? "")alt="\#(HTMLText.escape(alt))" width="\#(size.width)" height="\#(size.height)" src="data:image/jpeg;base64,"#
      + Data(jpeg).base64EncodedString() + #"">"#
  }
}
