import Capture
import Imagery
import System

/// The first photos once more, without compression, for comparison.
package final class References: Sendable {
  private static let limit = 2
  private let pictures = Locked<[[UInt8]]>([])

  package init() {}

  /// Returns the uncompressed picture of the photo with this number, from 0. Nil beyond the first two.
  package func png(_ index: Int) -> [UInt8]? {
    pictures.withLock { index < $0.count ? $0[index] : nil }
  }

  fileprivate var isComplete: Bool { pictures.withLock { $0.count >= Self.limit } }
  fileprivate func add(_ bytes: [UInt8]) { pictures.withLock { $0.append(bytes) } }
}

/// A photo path that also makes uncompressed pictures. It does so after the photo, and so does not affect its time.
struct ReferencePipeline: PhotoProcessing {
  let base: any PhotoProcessing
  let references: References

  func process(
    _ image: PixelBuffer, orientation: Orientation, settings: PhotoSettings
  ) throws(ImageError) -> Photo {
    let photo = try base.process(image, orientation: orientation, settings: settings)
    if !references.isComplete {
      var lossless = settings
      lossless.container = .png
      lossless.maximumBytes = nil
      lossless.orientationMode = .baked
      references.add(try base.process(image, orientation: orientation, settings: lossless).bytes)
    }
    return photo
  }

  func rest() { base.rest() }
}
