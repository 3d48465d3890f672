import BookScan
import Dispatch
import FoundationEssentials
public import Imagery
import System

/// How the picture of a scan is sent to a backend.
public struct SentPicture: Sendable, Equatable {
  /// Upright, pixels.
  public var size: PixelSize
  /// What it costs by the profile of the solver.
  public var tokens: Int
  /// Read at full size; with a proxy, letters.
  public var words: Int
  /// How many of them are kept.
  public var kept: Int
  /// Whether the share that was asked for is kept.
  public var isKept: Bool
  /// What decided: `recognition` or `proxy`.
  public var judge: String
  /// What read or measured, with its version.
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

/// Makes the pictures of scans as they leave the machine: within the budget of the vision model (IMG-1, IMG-6), and where a solver is there,
/// at the cheapest size that can be read.
final class UploadPicture: Sendable {
  private let settings: PhotoSettings
  private let solver: LegibilitySolver?
  /// A scan that is sent again is not read again. The latest few: a picture may have a megabyte.
  private let made = Locked<[(scan: UUID, bytes: [UInt8], sent: SentPicture)]>([])
  private static let memory = 8
  /// The recogniser must not keep the threads of Swift's tasks from their work.
  private let queue = DispatchQueue(label: "SwiftWing.uploads", qos: .utility)

  init(_ settings: PhotoSettings, solver: LegibilitySolver?) {
    self.settings = settings
    self.solver = solver
  }

  /// Whether it wants pictures at full size to choose from.
  var choosesSize: Bool { solver != nil }

  /// - Parameter bytes: a JPEG or PNG file of any size.
  /// - Returns: the file itself where its size is given, it is within it and any reader takes it as we do, otherwise a smaller one, upright; and how its size was chosen, once
  ///   for each scan.
  /// - Throws: `ImageError`, `ScanError`; `CancellationError` when the task is cancelled, after the reading under way.
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

  /// The scan has left the queue.
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
