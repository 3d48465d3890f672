/// The lenses of a device that has several cameras, as a user chooses among them: those that are there, and twice the wide one by cropping.
///
/// ```swift
/// let lenses = LensList([
///   LensList.Lens(factor: 1, source: wide), LensList.Lens(factor: 5, source: tele),
/// ])
/// for choice in lenses.choices { print("\(choice.factor)× \(choice.isCrop ? "software" : "")") }
/// if let choice = lenses.choice(for: 2) { try await session.select(choice) }
/// ```
public struct LensList: Sendable {
  /// One camera of several that look the same way.
  public struct Lens: Sendable {
    /// How much larger than the main one it shows things; 1 is the main one.
    public let factor: Double
    /// Where its pictures come from.
    public let source: any CameraSource

    /// - Parameter factor: above zero.
    public init(factor: Double, source: any CameraSource) { (self.factor, self.source) = (factor, source) }
  }

  /// A button of the lens list.
  public struct Choice: Sendable {
    /// What is written on it.
    public let factor: Double
    /// The camera.
    public let lens: Lens
    /// The camera is another one's crop: it is done by software.
    public var isCrop: Bool { zoom != 1 }
    /// The zoom of that camera.
    public let zoom: Double
  }

  /// In the order of their factors.
  public let choices: [Choice]
  /// Factors that differ by no more are one.
  public static let tolerance = 0.05
  /// The crop that is offered of the main lens where no lens has its factor.
  public static let cropped = 2.0

  /// - Parameter lenses: those without a factor above zero are left out.
  public init(_ lenses: [Lens]) {
    let usable = lenses.filter { $0.factor > 0 && $0.factor.isFinite }
    var choices = usable.map { Choice(factor: $0.factor, lens: $0, zoom: 1) }
    if let main = usable.first(where: { abs($0.factor - 1) <= Self.tolerance }),
      !usable.contains(where: { abs($0.factor - Self.cropped) <= Self.tolerance })
    {
      choices.append(Choice(factor: Self.cropped, lens: main, zoom: Self.cropped / main.factor))
    }
    self.choices = choices.sorted { $0.factor < $1.factor }
  }

  /// How a factor is had: by the lens that has it, else by the longest lens that shows at least as much, zoomed.
  /// - Parameter wanted: what is no finite number counts as 1.
  /// - Returns: nil where there are no lenses.
  public func choice(for wanted: Double) -> Choice? {
    let factor = wanted.isFinite ? wanted : 1
    if let own = choices.first(where: { !$0.isCrop && abs($0.factor - factor) <= Self.tolerance }) {
      return own
    }
    let lenses = choices.filter { !$0.isCrop }
    guard let lens = (lenses.last { $0.factor <= factor } ?? lenses.first)?.lens else { return nil }
    return Choice(factor: max(factor, lens.factor), lens: lens, zoom: max(1, factor / lens.factor))
  }
}

extension CaptureSession {
  /// Takes the lens of a choice, and its zoom. The device is started anew only where it is another lens. What is wished is set again on it,
  /// once, when no other lens was chosen for ``ControlPolicy/debounce``; frames until then are not settled.
  /// - Throws: as ``configure(_:)``.
  public func select(_ choice: LensList.Choice) async throws(SessionError) {
    let specification = choice.lens.source.specification
    if setup.source.specification != specification {
      try await configure { $0.source = choice.lens.source }
    }
    await set(.zoom, to: .number(choice.zoom))
  }
}
