import BookScan
import FoundationEssentials
import Imagery

/// Recognises a photo of the scene that was just photographed (DUP-1, same frame): the hash and the brightness of the whole picture both agree.
struct SameFrames: Sendable {
  private struct Picture: Sendable {
    var key: UUID
    var look: PerceptualHash
    var cells: LumaCells
  }

  /// The number of pictures that are remembered.
  private static let memory = 8
  /// The maximum number of differing bits between the hashes of one scene, because of noise and recompression.
  static let bits = 4
  /// The maximum mean difference between the cells of one scene, in 8-bit codes.
  static let levels = 5.0

  private var pictures: [Picture] = []

  struct Look: Sendable {
    var hash: PerceptualHash
    var cells: LumaCells

    /// - Parameter photo: a JPEG, upright or with an orientation tag.
    init?(_ photo: [UInt8]) {
      guard let (image, orientation, _) = try? ImageFile.read(photo),
        let luma = try? Self.luma(image, orientation),
        let cells = LumaCells(luma, columns: PerceptualHash.side, rows: PerceptualHash.side)
      else { return nil }
      hash = PerceptualHash(cells)
      self.cells = cells
    }

    /// Decodes only the luma if the photo is upright, as a station's own photos are.
    private static func luma(_ image: PixelBuffer, _ orientation: Orientation) throws -> PixelBuffer {
      guard orientation == .upright else { return try UprightPhoto(image, orientation: orientation).luma() }
      return try ImageConverter(pool: PixelBufferPool()).convert(image, to: .grey, color: .jpeg)
    }
  }

  /// The key of the latest scan that shows the same scene. Nil if no remembered scan does.
  func known(_ look: Look) -> UUID? {
    pictures.last {
      $0.look.distance(to: look.hash) <= Self.bits && $0.cells.difference(to: look.cells) <= Self.levels
    }?.key
  }

  mutating func add(_ look: Look, _ key: UUID) {
    pictures.append(Picture(key: key, look: look.hash, cells: look.cells))
    if pictures.count > Self.memory { pictures.removeFirst() }
  }

  /// Forgets a scan that was not accepted.
  mutating func forget(_ key: UUID) { pictures.removeAll { $0.key == key } }
}
