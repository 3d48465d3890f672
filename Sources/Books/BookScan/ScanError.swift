public import Imagery

/// The reason why a photo could not be scanned. The description is one sentence for a person.
public enum ScanError: Error, CustomStringConvertible, Sendable, Equatable, Codable {
  /// The photo itself cannot be read.
  case image(ImageError)
  /// A library or a model that recognition needs is missing; `remedy` says what to do.
  case unavailable(what: String, reason: String, remedy: String)
  /// The recogniser failed on a good photo.
  case recognition(engine: String, reason: String)
  /// The photo ended `workers` processes of a `RecognitionWorker`. `reason` says why the last of them ended.
  case ended(workers: Int, reason: String)

  /// Whether recognition is unavailable, so that the photo is not at fault.
  public var isUnavailability: Bool { if case .unavailable = self { true } else { false } }

  public var description: String {
    switch self {
    case .image(let error): error.description
    case .unavailable(let what, let reason, let remedy): "Cannot use \(what) (\(reason)); \(remedy)."
    case .recognition(let engine, let reason):
      "Cannot read the text of the photo because \(engine) failed (\(reason)); "
        + "read with the other engine, by `--recognizer-engine`."
    case .ended(let workers, let reason):
      "Cannot read the photo because the recogniser's process ended \(workers == 1 ? "once" : "\(workers) times") while reading it "
        + "(\(reason)); take another photo of the same books."
    }
  }
}
