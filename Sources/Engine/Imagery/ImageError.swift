/// An error of reading, converting or writing a picture. The description is one sentence for a person.
public enum ImageError: Error, CustomStringConvertible, Sendable, Equatable, Codable {
  /// The bytes contradict their own format.
  case corrupt(format: String, reason: String)
  /// The bytes end before the picture does; both counts are in bytes, and `needed` is the smallest sufficient number.
  case truncated(format: String, have: Int, needed: Int)
  /// Neither JPEG nor PNG, by content.
  case unrecognised
  /// A legal picture that this engine does not read or write.
  case unsupported(what: String, remedy: String)
  /// A side outside 1...32768, or an area or a decoding effort beyond the limits.
  case tooLarge(what: String, limit: String)
  /// No size satisfies the token or byte budget.
  case budgetUnattainable(budget: String)
  /// The system has no memory for a picture.
  case outOfMemory(bytes: Int)
  /// A codec failed on pixels that should be valid.
  case encodingFailed(format: String, reason: String)

  /// One sentence for a person: the action, the reason, the remedy.
  public var description: String {
    switch self {
    case .corrupt(let format, let reason):
      "Cannot read the \(format) picture because it is damaged (\(reason)); take or copy it again."
    case .truncated(let format, let have, let needed):
      "Cannot read the \(format) picture because it has only \(have) of at least \(needed) bytes; "
        + "take or copy it again."
    case .unrecognised:
      "Cannot read the picture because it is neither JPEG nor PNG; convert it to one of them."
    case .unsupported(let what, let remedy): "Cannot process \(what); \(remedy)."
    case .tooLarge(let what, let limit):
      "Cannot process \(what) because the limit is \(limit); give a picture within it."
    case .budgetUnattainable(let budget):
      "Cannot make a photo within \(budget) at any size; allow more."
    case .outOfMemory(let bytes):
      "Cannot reserve \(bytes) bytes for a picture because memory is exhausted; end other programs or use a "
        + "smaller format."
    case .encodingFailed(let format, let reason):
      "Cannot write the \(format) picture because the encoder failed (\(reason)); report this as a defect."
    }
  }
}
