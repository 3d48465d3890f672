public import BookScan
public import FoundationEssentials
import Imagery

/// A spine in a photo, with its appearance.
public struct SpineSighting: Sendable, Hashable, Identifiable {
  /// The id of the finding. A new spine takes it as its own id.
  public var id: UUID
  /// The reading, and its place in the photo.
  public var spine: SpineFinding
  /// The hash of the spine's appearance. Nil if unknown.
  public var look: PerceptualHash?
  /// A small upright JPEG of the spine for review. Nil if the reading is sure, or if there is no picture.
  public var picture: [UInt8]?

  /// Creates a sighting.
  /// - Parameters:
  ///   - id: must be the same if the same photo is read again. The default is a new id.
  ///   - picture: default: none.
  public init(
    id: UUID = UUID(), spine: SpineFinding, look: PerceptualHash? = nil, picture: [UInt8]? = nil
  ) {
    self.id = id
    self.spine = spine
    self.look = look
    self.picture = picture
  }
}

/// A book as a backend reports it.
public struct NamedBook: Sendable, Hashable, Identifiable {
  /// The id of the finding. A new spine takes it as its own id.
  public var id: UUID
  /// The title given by the backend.
  public var title: String
  /// The author. Nil if unknown.
  public var author: String?
  /// The ISBN, thirteen digits. Nil if unknown.
  public var isbn: String?
  /// The recogniser's confidence in the book, 0…1.
  public var confidence: Double

  /// Creates a named book, without checking its values.
  /// - Parameter confidence: the recogniser's confidence in the book, 0…1.
  public init(id: UUID = UUID(), title: String, author: String?, isbn: String?, confidence: Double) {
    self.id = id
    self.title = title
    self.author = author
    self.isbn = isbn
    self.confidence = confidence
  }
}

/// One physical book, independent of the number of photos that show it.
public struct ShelfCopy: Sendable, Hashable, Identifiable {
  /// The id, unchanged by restarts.
  public let id: UUID
  /// The number in this session, from 1. Books of earlier sessions come first.
  public let number: Int
  /// The title in the surest reading so far.
  public internal(set) var title: String
  /// The author in the same reading. Nil if it has none.
  public internal(set) var author: String?
  /// The ISBN, thirteen digits. Nil until a reading has one.
  public internal(set) var isbn: String?
  /// The confidence of the surest reading, 0…1.
  public internal(set) var confidence: Double
  /// The number of photos that show it.
  public internal(set) var sightings: Int
}

/// The result of comparing a sighting with the known books.
public enum SpineStanding: Sendable, Hashable {
  /// A book not seen before.
  case new(ShelfCopy)
  /// A book seen before. `isSurer`: this reading replaced the earlier one.
  case again(ShelfCopy, isSurer: Bool)
  /// A sighting that is not counted, because the photo's edge cuts the text and the next photo of the pan will show it whole, or because two known
  /// spines were read as one.
  case unclear

  /// The book. Nil if the sighting is unclear.
  public var copy: ShelfCopy? {
    switch self {
    case .new(let copy), .again(let copy, _): copy
    case .unclear: nil
    }
  }
}

/// The spines of one photo, prepared for comparison.
struct SightedPhoto: Sendable {
  let sightings: [SpineSighting]
  let texts: [SpineText]
  let size: PixelSize

  init(_ sightings: [SpineSighting], size: PixelSize) {
    self.sightings = sightings
    texts = sightings.map { SpineText(title: $0.spine.title, author: $0.spine.author) }
    self.size = size
  }

  /// Whether the photo's edge cuts the text.
  func isCut(_ index: Int) -> Bool { sightings[index].spine.isCut(by: size) }
}
