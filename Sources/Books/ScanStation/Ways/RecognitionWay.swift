public import FoundationEssentials

/// How a photo becomes books (OCR-2).
public enum RecognitionWay: String, Sendable, Codable, CaseIterable {
  /// Read here; no network, no account.
  case local
  /// Read here, and the text is sent to the backend; no image ever leaves the machine.
  case hybrid
  /// The image is sent to the backend.
  case backend

  /// What is tried when this way fails or is slow, in this order: what sends less first.
  public var fallbacks: [RecognitionWay] {
    switch self {
    case .local: []
    case .hybrid: [.local]
    case .backend: [.hybrid, .local]
    }
  }

  /// Whether photos are read on this machine, and so are best at full resolution.
  public var readsHere: Bool { self != .backend }
}

/// When a way has failed and the next one has its turn.
public struct WaySettings: Sendable, Equatable {
  /// The way that is tried first.
  public var first: RecognitionWay
  /// Whether there is a next one. Without, a scan waits in the queue for the backend to come back.
  public var fallsBack: Bool
  /// Seconds that a backend may be out of reach, from the first attempt on; its other failures count at once.
  public var patience: TimeInterval
  /// Seconds that one way may take with a scan before it counts as slow.
  public var limit: TimeInterval
  /// Seconds during which later scans go straight to the way that the last one fell back to.
  public var memory: TimeInterval

  /// By default photos are read here alone. A backend is waited for 10 s, a way may take 60 s, and a fallback is remembered for 30 s.
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

  /// All that may be tried, in order.
  public var ways: [RecognitionWay] { fallsBack ? [first] + first.fallbacks : [first] }
}

/// One way gave way to the next.
public struct Fallback: Sendable, Equatable {
  /// The key of the scan.
  public var scan: UUID
  /// The way that failed or was slow.
  public var from: RecognitionWay
  /// The way that has its turn now.
  public var to: RecognitionWay
  /// Why, for a person.
  public var reason: String
}
