/// The lenses of a device with several cameras, as choices for a user: each camera, plus a 2× crop of the main camera if no lens has that factor.
///
/// ```swift
/// let lenses = LensList([
///   LensList.Lens(factor: 1, source: wide), LensList.Lens(factor: 5, source: tele),
/// ])
/// for choice in lenses.choices { print("\(choice.factor)× \(choice.isCrop ? "software" : "")") }
/// if let choice = lenses.choice(for: 2) { try await session.select(choice) }
/// ```
public struct LensList: Sendable {
  /// One of several cameras that face the same way.
  public struct Lens: Sendable {
    /// The magnification relative to the main lens, which has 1.
    public let factor: Double
    /// The source of the lens's pictures.
    public let source: any CameraSource

    /// - Parameter factor: the magnification relative to the main lens, above zero.
    public init(factor: Double, source: any CameraSource) { (self.factor, self.source) = (factor, source) }
  }

  /// A button of the lens list.
  public struct Choice: Sendable {
    /// The factor to show on the button.
    public let factor: Double
    /// The lens that delivers the pictures.
    public let lens: Lens
    /// Whether the choice is a software crop of its lens.
    public var isCrop: Bool { zoom != 1 }
    /// The zoom to set on the lens; 1 unless the choice is a crop.
    public let zoom: Double
  }

  /// The choices in the order of their factors.
  public let choices: [Choice]
  /// The largest difference between two factors that count as equal.
  public static let tolerance = 0.05
  /// The factor of the crop, which is offered if no lens has this factor.
  public static let cropped = 2.0

  /// - Parameter lenses: lenses without a factor above zero are left out.
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

  /// The choice for a factor: the lens with exactly that factor, or else the longest lens whose view contains the wanted part, zoomed to it.
  /// - Parameter wanted: the wanted magnification; a value that is not finite counts as 1.
  /// - Returns: nil if there are no lenses.
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
  /// Switches to the lens of a choice and sets its zoom. The device is restarted only for another lens. The requested control values are set
  /// again on the new lens, once, after no other lens was chosen for ``ControlPolicy/debounce``; frames until then are not settled.
  /// - Throws: the errors of ``configure(_:)``.
  public func select(_ choice: LensList.Choice) async throws(SessionError) {
    let specification = choice.lens.source.specification
    if setup.source.specification != specification {
      try await configure { $0.source = choice.lens.source }
    }
    await set(.zoom, to: .number(choice.zoom))
  }
}
