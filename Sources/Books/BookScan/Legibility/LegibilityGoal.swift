public import Imagery

/// The budget of a photo, and the share of its words that must stay legible.
public struct LegibilityGoal: Sendable, Equatable {
  /// The token profile by which the cost is counted.
  public var profile: TokenProfile
  /// The least share of the words read at full size that must also be read in the photo, 0…1.
  public var share: Double
  /// The most tokens that the photo may cost; nil for no limit.
  public var maxTokens: Int?

  /// Creates a goal. By default 98 % of the words must stay legible, at any cost up to that of the largest photo that is sent.
  public init(profile: TokenProfile, share: Double = 0.98, maxTokens: Int? = nil) {
    self.profile = profile
    self.share = min(max(share, 0), 1)
    self.maxTokens = maxTokens
  }
}

/// A reader of the pictures that are compared: a recogniser of this module, or one of your own.
public struct LegibilityReader: Sendable {
  /// The reader's name, with its version.
  public var name: String
  /// Reads a picture: the bytes of an upright JPEG or PNG file. Returns the lines of text, in pixels of the picture.
  public var read: @Sendable (_ picture: [UInt8]) throws -> [TextLine]

  /// Creates a reader of your own. If `read` throws an error, the solver decides by its proxy, except that `CancellationError`
  /// ends the solver.
  public init(name: String, read: @escaping @Sendable (_ picture: [UInt8]) throws -> [TextLine]) {
    (self.name, self.read) = (name, read)
  }

  /// Creates a reader that runs in a worker process.
  public init(worker: RecognitionWorker, level: RecognitionLevel = .accurate) {
    self.init(name: worker.name) { try worker.scan($0, level: level).findings.lines }
  }
}
