public import FoundationEssentials

/// One physical book on a shelf, with the data by which it is recognised when it is photographed again.
///
/// The library only stores spines, so that a scanning process knows them again after a restart. Comparing spines is the task of the code that
/// finds them.
public struct Spine: Sendable, Equatable, Identifiable {
  /// The place of a spine when it was last seen: a box and the clockwise turn of the text in degrees. Coordinates are pixels of the first photo of
  /// the spine's view.
  public struct Place: Sendable, Equatable {
    /// The left edge of the spine's box, pixels.
    public var x: Double
    /// The upper edge of the spine's box, pixels.
    public var y: Double
    /// The width of the spine's box, pixels.
    public var width: Double
    /// The height of the spine's box, pixels.
    public var height: Double
    /// The clockwise turn of the spine's text from upright, degrees in 0..<360.
    public var angle: Double

    /// Creates a place, without checking its values.
    public init(x: Double, y: Double, width: Double, height: Double, angle: Double) {
      (self.x, self.y, self.width, self.height, self.angle) = (x, y, width, height, angle)
    }
  }

  public var id: UUID
  /// The title in the surest reading so far.
  public var title: String
  /// The author in the surest reading so far. Nil if unknown.
  public var author: String?
  /// The ISBN, thirteen digits. Nil until a reading has one.
  public var isbn: String?
  /// The confidence of the surest reading, 0…1.
  public var confidence: Double
  /// The number of photos that show the spine.
  public var sightings: Int
  /// The place where the spine was last seen. Nil if only a backend has reported the spine.
  public var place: Place?
  /// The number of the spine's view, from 1. Photos that overlap belong to one view.
  public var view: Int
  /// A hash of 64 bits of the spine's appearance (`PerceptualHash`).
  public var look: UInt64?
  /// The number of the last photo that shows the spine, from 1. Data from a later photo replace data from an earlier one.
  public var photo: Int

  /// Creates a spine from its parts. The code that finds spines creates them; the library stores them.
  public init(
    id: UUID, title: String, author: String? = nil, isbn: String? = nil, confidence: Double,
    sightings: Int = 1, place: Place? = nil, view: Int, look: UInt64? = nil, photo: Int
  ) {
    self.id = id
    self.title = title
    self.author = author
    self.isbn = isbn
    self.confidence = confidence
    self.sightings = sightings
    self.place = place
    self.view = view
    self.look = look
    self.photo = photo
  }
}

extension Library {
  /// The spines that were delivered last, oldest first.
  /// - Parameter limit: the maximum number of spines.
  public func spines(limit: Int) async throws(DeliveryError) -> [Spine] {
    try await store.read("read which spine is which") { try Spine.latest(limit, in: $0) }
  }
}
