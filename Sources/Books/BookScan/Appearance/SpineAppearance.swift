public import FoundationEssentials

/// The appearance of a record in a photo: its hash, and a small picture for review.
public struct SpineAppearance: Sendable, Hashable, Codable {
  /// The hash of the record's box, by which the record is recognised in another photo. Nil if less than 8 × 8 pixels of the box are in the photo.
  public var hash: PerceptualHash?
  /// A small upright picture for a person who reviews the record: a JPEG file of at most ``SpineCrop/byteLimit`` bytes. Nil if the record is sure, or
  /// if no picture can be made.
  public var picture: Data?

  /// Creates an appearance; nothing is checked.
  public init(hash: PerceptualHash? = nil, picture: Data? = nil) {
    self.hash = hash
    self.picture = picture
  }
}

extension PhotoFindings {
  /// The maximum number of pictures per photo. A person reviews no more of them, and each stays in memory until the library has it.
  private static let pictureLimit = 200

  /// Adds the appearance of every record.
  /// - Parameter photo: the photo that the findings are of.
  /// - Throws: `image` if memory runs out.
  package mutating func addAppearances(in photo: UprightPhoto) throws(ScanError) {
    let luma = try photo.luma()
    var room = Self.pictureLimit
    func add(to spine: inout SpineFinding) {
      var picture: Data?
      if spine.certainty != .sure, room > 0 {
        room -= 1
        picture = (try? SpineCrop(photo, outline: spine.outline)).map { Data($0.jpeg) }
      }
      spine.appearance = SpineAppearance(hash: PerceptualHash(luma, in: spine.box), picture: picture)
    }
    for index in spines.indices { add(to: &spines[index]) }
    for index in unlikely.indices { add(to: &unlikely[index]) }
  }
}
