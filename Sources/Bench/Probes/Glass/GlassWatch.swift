package import Capture
import Imagery
import System

/// The luma of every presented picture, kept to search for codes afterwards, because the preview has no time for that.
package final class GlassWatch: Sendable {
  private struct Kept {
    var presentedTime: MonotonicTime
    var luma: [UInt8]
    var width: Int
    var height: Int
  }

  private let kept = Locked<[Kept]>([])
  /// Maximum number of pictures that are kept. More would take gigabytes; at 30 per second this lasts for a minute.
  private static let most = 1800

  package init() {}

  package var count: Int { kept.withLock { $0.count } }

  /// Keeps a BGRA or RGBA picture. Other formats, and pictures beyond the 1,800th, are ignored.
  package func note(_ picture: PresentedPicture) {
    let (size, plane) = (picture.image.format.size, picture.image.planes[0])
    guard [.bgra, .rgba].contains(picture.image.format.pixelFormat), count < Self.most else { return }
    var luma = [UInt8](repeating: 0, count: size.width * size.height)
    // Green is the largest part of luma, and codes are black and white.
    for y in 0..<size.height {
      let row = (plane.base + y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for x in 0..<size.width { luma[y * size.width + x] = row[4 * x + 1] }
    }
    let one = Kept(
      presentedTime: picture.presentedTime, luma: luma, width: size.width, height: size.height)
    kept.withLock { $0.append(one) }
  }

  /// Reads the codes of all kept pictures; this takes a few milliseconds per picture.
  package func read() -> GlassReading {
    GlassReading(
      kept.withLock { $0 }.map { kept in
        GlassReading.Seen(
          presentedTime: kept.presentedTime,
          code: GlassCode.read(luma: kept.luma, width: kept.width, height: kept.height))
      })
  }
}
