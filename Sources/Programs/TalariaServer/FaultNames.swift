/// Faults by name, for a person.
extension Fault {
  /// The names that `init(name:)` accepts. The words after a colon are placeholders.
  public static let names = [
    "delay:MS", "drop", "reset", "half-event", "duplicate-events", "out-of-order-events", "huge-event:BYTES",
    "silence", "too-many-requests:SECONDS-OR-DATE", "status:CODE", "wrong-content-type", "nonsense",
    "redirect:URL",
    "slow-reader:MS", "job-error", "job-refusal",
  ]

  /// Creates a fault by its name. Nil if `name` is not one of `names`, or if the text after its colon is invalid.
  public init?(name: String) {
    let parts = name.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    if parts.count == 1 {
      guard let fault = Self.plain[name] else { return nil }
      self = fault
      return
    }
    let value = parts[1]
    switch (parts[0], Int(value)) {
    case ("delay", let number?) where (0...600_000).contains(number): self = .delay(number)
    case ("slow-reader", let number?) where (0...10_000).contains(number): self = .slowReader(number)
    case ("huge-event", let number?) where (1...(1 << 40)).contains(number): self = .hugeEvent(number)
    case ("status", let number?) where (200...599).contains(number): self = .status(number)
    case ("too-many-requests", _) where Self.isHeaderValue(value): self = .tooManyRequests(value)
    case ("redirect", _) where Self.isHeaderValue(value): self = .redirect(value)
    default: return nil
    }
  }

  private static let plain: [String: Fault] = [
    "drop": .drop, "reset": .reset, "half-event": .halfEvent, "duplicate-events": .duplicateEvents,
    "out-of-order-events": .outOfOrderEvents, "silence": .silence, "wrong-content-type": .wrongContentType,
    "nonsense": .nonsense, "job-error": .jobError(retryable: true),
    "job-refusal": .jobError(retryable: false),
  ]

  private static func isHeaderValue(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= 1024 && text.utf8.allSatisfy { (32...126).contains($0) }
  }
}
