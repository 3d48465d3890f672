public import FoundationEssentials

/// The way in which a photo is converted to books (OCR-2).
public enum RecognitionWay: String, Sendable, Codable, CaseIterable {
  /// The photo is read on this machine, without network or account.
  case local
  /// The photo is read on this machine, and the text is sent to the backend. No image leaves the machine.
  case hybrid
  /// The image is sent to the backend.
  case backend

  /// The ways that are tried if this one fails or is slow, in order: those that send less come first.
  public var fallbacks: [RecognitionWay] {
    switch self {
    case .local: []
    case .hybrid: [.local]
    case .backend: [.hybrid, .local]
    }
  }

  /// Whether photos are read on this machine. Reading works best at full resolution.
  public var readsHere: Bool { self != .backend }
}

/// The conditions for changing to the next way.
public struct WaySettings: Sendable, Equatable {
  /// The way that is tried first.
  public var first: RecognitionWay
  /// Whether the next way is tried after one fails or is slow. If false, a scan waits in the queue until the backend can be reached.
  public var fallsBack: Bool
  /// The time that a backend may be unreachable before the way changes, in seconds from the first try. If the backend fails otherwise or rejects the
  /// scan, the way changes at once; a rate limit does not change the way.
  public var patience: TimeInterval
  /// The time that a way may take for a scan before it counts as slow, in seconds.
  public var limit: TimeInterval
  /// The time during which later scans use the way of the last fallback at once, in seconds.
  public var memory: TimeInterval

  /// Creates settings. By default photos are only read on this machine; the patience with a backend is 10 s, the limit of a way 60 s, and a
  /// fallback is remembered for 30 s.
  public init(
    first: RecognitionWay = .local, fallsBack: Bool = true, patience: TimeInterval = 10,
    limit: TimeInterval = 60,
    memory: TimeInterval = 30
  ) {
    self.first = first
    self.fallsBack = fallsBack
    self.patience = patience
    self.limit = limit
    self.memory = memory
  }

  /// The ways that may be tried, in order.
  public var ways: [RecognitionWay] { fallsBack ? [first] + first.fallbacks : [first] }
}

/// A change from one way to the next.
public struct Fallback: Sendable, Equatable {
  /// The key of the scan.
  public var scan: UUID
  /// The way that failed or was slow.
  public var from: RecognitionWay
  /// The way that is tried next.
  public var to: RecognitionWay
  /// The reason, for a person.
  public var reason: String
}
