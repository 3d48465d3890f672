import Foundation
import Harness
import Imagery
import ScanStation

/// A picture embedded in a page, so that the page needs no other file.
enum PhotoPicture {
  /// Returns a small upright copy of a photograph, or a sentence if there can be none.
  /// - Parameters:
  ///   - file: the photograph's file.
  ///   - alt: the alternative text.
  ///   - longSide: the greatest length of the copy's longer side, pixels.
  ///   - maximumBytes: the greatest size of the copy before base64, which makes four bytes of three.
  static func html(_ file: String, alt: String, longSide: Int, maximumBytes: Int) -> String {
    do {
      let (image, orientation, _) = try ImageFile.read(Photograph.contents(file))
      return try html(image, orientation, alt: alt, longSide: longSide, maximumBytes: maximumBytes)
    } catch {
      return "<p>\(HTMLText.escape("No picture: \(error)"))</p>"
    }
  }

  /// Returns a small upright copy of a decoded photograph.
  /// - Throws: the errors of decoding.
  static func html(
    _ image: PixelBuffer, _ orientation: Orientation, alt: String, longSide: Int, maximumBytes: Int
  ) throws(ImageError) -> String {
    let settings = PhotoSettings(longSide: longSide, quality: 70, maximumBytes: maximumBytes)
    let copy = try PhotoPipeline().process(image, orientation: orientation, settings: settings)
    return html(copy.bytes, copy.size, alt: alt)
  }

  /// Returns a JPEG file unchanged.
  /// - Parameter kind: the CSS class of the picture.
  static func html(_ jpeg: [UInt8], _ size: PixelSize, alt: String, kind: String? = nil) -> String {
    #"<img \#(kind.map { "class=\"\($0)\" " } ?? "")alt="\#(HTMLText.escape(alt))" width="\#(size.width)" height="\#(size.height)" src="data:image/jpeg;base64,"#
      + Data(jpeg).base64EncodedString() + #"">"#
  }
}
