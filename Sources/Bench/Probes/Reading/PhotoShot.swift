package import Capture
package import Imagery
import System

/// A photo, its source format, and its similarity to the same picture without compression.
package struct PhotoShot: Sendable {
  package let photo: CapturedPhoto
  package let source: ImageFormat
  /// SSIM against the uncompressed picture of the same size, 0…1. Nil if there is no such picture.
  package let similarity: Double?

  package init(photo: CapturedPhoto, source: ImageFormat, similarity: Double?) {
    self.photo = photo
    self.source = source
    self.similarity = similarity
  }

  /// The size by a second implementation of IMG-1: upright, long side at most 1024, short side at most 768, aspect kept to the nearest pixel.
  package var expectedSize: PixelSize {
    let upright = photo.frame.orientation.capture.applied(to: source.size)
    var longSide = min(upright.longSide, 1024)
    func scaled(_ side: Int) -> Int { (side * 2 * longSide + upright.longSide) / (2 * upright.longSide) }
    while scaled(upright.shortSide) > 768 { longSide -= 1 }
    return PixelSize(width: max(1, scaled(upright.width)), height: max(1, scaled(upright.height)))
  }

  package var isRightSize: Bool { photo.photo.size == expectedSize }

  package func tokens(_ profile: String) -> Double {
    TokenProfile.named(profile).map { Double($0.tokens(for: photo.photo.size)) } ?? .nan
  }

  /// The token cost of the photo in every profile.
  package var tokenTable: String {
    TokenProfile.all.map { profile in
      "\(profile.tokens(for: photo.photo.size)) tokens  \(profile.title) (\(profile.asOf), \(profile.source))"
    }.joined(separator: "\n")
  }
}
