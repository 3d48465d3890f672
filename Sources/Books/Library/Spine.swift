public import FoundationEssentials

/// One physical book on a shelf, and what tells it from the others when it is photographed again.
///
/// The library keeps spines, so that a scanning process that is started again knows which is which. It compares none of them: that is
/// done by whoever finds them.
public struct Spine: Sendable, Equatable, Identifiable {
  /// Where a spine was seen last: its box and the clockwise turn of its text in degrees, in the pixels of its view's first photo.
  public struct Place: Sendable, Equatable {
    /// Left edge of its box.
    public var x: Double
    /// Upper edge of its box.
    public var y: Double
    /// Of its box.
    public var width: Double
    /// Of its box.
    public var height: Double
    /// Of its text, degrees in 0..<360.
    public var angle: Double

    /// A place; nothing is checked.
    public init(x: Double, y: Double, width: Double, height: Double, angle: Double) {
      (self.x, self.y, self.width, self.height, self.angle) = (x, y, width, height, angle)
    }
  }

  public var id: UUID
  /// The surest reading so far.
  public var title: String
  /// Of the same reading; nil when unknown.
  public var author: String?
  /// Thirteen digits, once any reading had them.
  public var isbn: String?
  /// 0…1, of that reading.
  public var confidence: Double
  /// Photos that show it.
  public var sightings: Int
  /// Nil when only a backend has named it.
  public var place: Place?
  /// Photos that overlap are one view; counted from 1.
  public var view: Int
  /// 64 bits of how it looks (`PerceptualHash`).
  public var look: UInt64?
  /// The photo that showed it last, counted from 1. What is known from a later photo takes the place of what is known from an
  /// earlier one.
  public var photo: Int

  /// A spine as it is: what finds spines makes it, the library keeps it.
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
  /// - Parameter limit: most of them.
  public func spines(limit: Int) async throws(DeliveryError) -> [Spine] {
    try await store.read("read which spine is which") { try Spine.latest(limit, in: $0) }
  }
}
