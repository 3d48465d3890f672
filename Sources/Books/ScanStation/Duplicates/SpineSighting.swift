public import BookScan
public import FoundationEssentials
import Imagery

/// A spine in a photo, and how it looks there.
public struct SpineSighting: Sendable, Hashable, Identifiable {
  /// Of the finding. A spine that is new gets it for its own.
  public var id: UUID
  /// What was read, and where in the photo.
  public var spine: SpineFinding
  /// Nil where the picture is not at hand.
  public var look: PerceptualHash?
  /// A small upright JPEG of it, for a person who is to look at it; nil for one that is sure.
  public var picture: [UInt8]?

  /// A sighting.
  /// - Parameters:
  ///   - id: give the same one when the same photo is read again; a fresh one by default.
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

/// A book as a backend names it.
public struct NamedBook: Sendable, Hashable, Identifiable {
  /// Of the finding. A spine that is new gets it for its own.
  public var id: UUID
  /// As the backend has it.
  public var title: String
  /// Nil when unknown.
  public var author: String?
  /// Thirteen digits; nil when unknown.
  public var isbn: String?
  /// 0…1.
  public var confidence: Double

  /// A named book; nothing is checked.
  /// - Parameter confidence: 0…1.
  public init(id: UUID = UUID(), title: String, author: String?, isbn: String?, confidence: Double) {
    self.id = id
    self.title = title
    self.author = author
    self.isbn = isbn
    self.confidence = confidence
  }
}

/// One physical book, however many photos show it.
public struct ShelfCopy: Sendable, Hashable, Identifiable {
  /// The same through every restart.
  public let id: UUID
  /// Counts from 1 in this session, those known from earlier ones first.
  public let number: Int
  /// The surest reading so far.
  public internal(set) var title: String
  /// Of that reading; nil when it has none.
  public internal(set) var author: String?
  /// Thirteen digits, once any reading had them.
  public internal(set) var isbn: String?
  /// 0…1, of that reading.
  public internal(set) var confidence: Double
  /// Photos that show it.
  public internal(set) var sightings: Int
}

/// What a sighting turned out to be.
public enum SpineStanding: Sendable, Hashable {
  /// Not seen before.
  case new(ShelfCopy)
  /// Seen before. `isSurer`: this reading took the place of the one before.
  case again(ShelfCopy, isSurer: Bool)
  /// Not to be counted: the edge of the photo cuts its text, and the next photo of the pan has it whole; or two spines known by
  /// themselves were read as one.
  case unclear

  /// The book; nil when it is unclear which, or whether it is one.
  public var copy: ShelfCopy? {
    switch self {
    case .new(let copy), .again(let copy, _): copy
    case .unclear: nil
    }
  }
}

/// The spines of one photo, made ready for comparison.
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
