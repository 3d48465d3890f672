public import Imagery

/// Why a photo could not be scanned. The description is one sentence for a person.
public enum ScanError: Error, CustomStringConvertible, Sendable, Equatable {
  /// The photo itself cannot be read.
  case image(ImageError)
  /// A library or a model that recognition needs is not to be had; `remedy` says what to do.
  case unavailable(what: String, reason: String, remedy: String)
  /// The recogniser failed on a good photo.
  case recognition(engine: String, reason: String)

  public var description: String {
    switch self {
    case .image(let error): error.description
    case .unavailable(let what, let reason, let remedy): "Cannot use \(what) (\(reason)); \(remedy)."
    case .recognition(let engine, let reason):
      "Cannot read the text of the photo because \(engine) failed (\(reason)); try the other recogniser engine."
    }
  }
}
