public import Imagery

/// What a photo may cost, and what must still be legible in it.
public struct LegibilityGoal: Sendable, Equatable {
  /// Whose tokens are counted.
  public var profile: TokenProfile
  /// Least share of the words read at full size that must be read in the photo, 0…1.
  public var share: Double
  /// Most tokens that the photo may cost; nil for no limit.
  public var maxTokens: Int?

  /// By default 98 % of the words, whatever it costs up to the largest photo that is sent.
  public init(profile: TokenProfile, share: Double = 0.98, maxTokens: Int? = nil) {
    self.profile = profile
    self.share = min(max(share, 0), 1)
    self.maxTokens = maxTokens
  }
}

/// What reads the pictures that are compared: a recogniser of this room, or one of your own.
public struct LegibilityReader: Sendable {
  /// What reads, with its version.
  public var name: String
  /// The bytes of an upright JPEG or PNG file → its lines of text, in pixels of that picture.
  public var read: @Sendable (_ picture: [UInt8]) throws -> [TextLine]

  /// A reader of your own. What it throws makes the solver decide by its proxy; `CancellationError` ends the solver.
  public init(name: String, read: @escaping @Sendable (_ picture: [UInt8]) throws -> [TextLine]) {
    (self.name, self.read) = (name, read)
  }

  /// Reads in a process of its own.
  public init(worker: RecognitionWorker, level: RecognitionLevel = .accurate) {
    self.init(name: worker.name) { try worker.scan($0, level: level).findings.lines }
  }
}
