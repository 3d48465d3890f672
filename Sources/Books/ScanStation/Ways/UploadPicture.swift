import BookScan
import Dispatch
import FoundationEssentials
public import Imagery
import System

/// A description of the picture that is sent to a backend for a scan.
public struct SentPicture: Sendable, Equatable {
  /// The size of the upright picture in pixels.
  public var size: PixelSize
  /// The picture's cost in tokens, by the profile of the solver.
  public var tokens: Int
  /// The number of words read at full size; if the judge is `proxy`, the number of letters.
  public var words: Int
  /// The number of these words or letters that are still legible at the sent size.
  public var kept: Int
  /// Whether the sent size keeps the requested share of the words or letters.
  public var isKept: Bool
  /// The kind of judge: `recognition` or `proxy`.
  public var judge: String
  /// The name and version of the judge.
  public var judgeName: String
  /// Sentences for the user.
  public var notes: [String]

  init(_ legibility: Legibility) {
    size = legibility.chosen.size
    tokens = legibility.chosen.tokens
    words = legibility.words
    kept = legibility.chosen.kept
    isKept = legibility.isKept
    judge = legibility.judge.rawValue
    judgeName = legibility.judgeName
    notes = legibility.notes
  }
}

/// Prepares the pictures of scans for sending: within the budget of the vision model (IMG-1, IMG-6) and, with a solver, at the cheapest legible
/// size.
final class UploadPicture: Sendable {
  private let settings: PhotoSettings
  private let solver: LegibilitySolver?
  /// The latest pictures, so that a scan that is sent again is not read again. Only a few, since a picture may have a megabyte.
  private let made = Locked<[(scan: UUID, bytes: [UInt8], sent: SentPicture)]>([])
  private static let memory = 8
  /// The recogniser must not block the threads of Swift's tasks.
  private let queue = DispatchQueue(label: "SwiftWing.uploads", qos: .utility)

  init(_ settings: PhotoSettings, solver: LegibilitySolver?) {
    self.settings = settings
    self.solver = solver
  }

  /// Whether a solver chooses the size, for which it needs the picture at full size.
  var choosesSize: Bool { solver != nil }

  /// - Parameter bytes: a JPEG or PNG file of any size.
  /// - Returns: `bytes`: the picture to send. Without a solver, this is the file itself if it is upright, within the limits and decoded alike by all
  ///   readers; otherwise a new upright picture. `news`: how a solver chose the size, once for each scan; otherwise nil.
  /// - Throws: `ImageError`, `ScanError`; `CancellationError` if the task is cancelled, after the current reading.
  func develop(_ bytes: [UInt8], of scan: UUID) async throws -> (bytes: [UInt8], news: SentPicture?) {
    guard let solver else { return (try Self.fitted(bytes, settings), nil) }
    if let known = made.withLock({ $0.first { $0.scan == scan } }) { return (known.bytes, nil) }
    let isCancelled = Locked(false)
    let (picture, sent) = try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<([UInt8], SentPicture), any Error>) in
        queue.async { [settings] in
          continuation.resume(
            with: Result {
              try Self.legible(
                bytes, settings, solver: solver.interrupted(when: { isCancelled.withLock { $0 } }))
            })
        }
      }
    } onCancel: {
      isCancelled.withLock { $0 = true }
    }
    made.withLock { $0 = $0.suffix(Self.memory - 1) + [(scan, picture, sent)] }
    return (picture, sent)
  }

  /// Forgets a scan that has left the queue.
  func forget(_ scan: UUID) { made.withLock { $0.removeAll { $0.scan == scan } } }

  private static func legible(
    _ bytes: [UInt8], _ settings: PhotoSettings, solver: LegibilitySolver
  ) throws -> ([UInt8], SentPicture) {
    let (image, orientation, _) = try ImageFile.read(bytes)
    let legibility = try solver.solve(image, orientation: orientation, settings: settings)
    return (legibility.photo.bytes, SentPicture(legibility))
  }

  private static func fitted(_ bytes: [UInt8], _ settings: PhotoSettings) throws(ImageError) -> [UInt8] {
    let (image, orientation, _) = try ImageFile.read(bytes)
    let size = orientation.applied(to: image.format.size)
    let isSmall = try settings.targetSize(for: size) == size && bytes.count <= settings.maximumBytes ?? .max
    if isSmall, orientation == .upright, ImageFile.isPlain(bytes) { return bytes }
    return try PhotoPipeline().process(image, orientation: orientation, settings: settings).bytes
  }
}
