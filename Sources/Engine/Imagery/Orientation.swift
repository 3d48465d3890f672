/// A quarter-turn clockwise.
public enum Rotation: Int, Sendable, CaseIterable, Codable, CustomStringConvertible {
  /// As it is.
  case none = 0
  /// What was on top is to the right.
  case clockwise90 = 90
  /// Upside down.
  case half = 180
  /// What was on top is to the left.
  case clockwise270 = 270

  /// The nearest quarter-turn to any angle in degrees.
  public init(nearest degrees: Double) {
    let turns = Int((degrees / 90).rounded())
    self = Rotation(quarterTurns: turns)
  }

  /// Any number of quarter-turns clockwise, negative ones too; full turns do not count.
  public init(quarterTurns turns: Int) {
    self = Rotation(rawValue: (turns % 4 + 4) % 4 * 90)!
  }

  /// 0 to 3, clockwise.
  public var quarterTurns: Int { rawValue / 90 }
  /// Whether width and height change places.
  public var swapsAxes: Bool { self == .clockwise90 || self == .clockwise270 }
  /// The turn that undoes this one.
  public var inverse: Rotation { Rotation(quarterTurns: -quarterTurns) }
  /// Degrees, such as `90°`.
  public var description: String { "\(rawValue)°" }

  /// One turn after another.
  public static func + (left: Rotation, right: Rotation) -> Rotation {
    Rotation(quarterTurns: left.quarterTurns + right.quarterTurns)
  }
}

/// What must be done to stored pixels to see them upright: first mirrored left to right, if `isMirrored`, then turned
/// clockwise by `rotation`. These are the eight elements of the dihedral group that EXIF 2.32 tag 0x0112 numbers 1–8.
public struct Orientation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The clockwise turn, after any mirroring.
  public var rotation: Rotation
  /// Left and right change places before the turn, as in a mirror.
  public var isMirrored: Bool

  /// An orientation, not mirrored unless it is said.
  public init(rotation: Rotation, isMirrored: Bool = false) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// The pixels are upright as they are stored.
  public static let upright = Orientation(rotation: .none)
  /// The eight that there are, in the order of EXIF's pairs: four turns, then four turns mirrored.
  public static let allCases: [Orientation] = [false, true].flatMap { mirrored in
    Rotation.allCases.map { Orientation(rotation: $0, isMirrored: mirrored) }
  }

  /// The orientation EXIF calls `value`; nil outside 1...8.
  public init?(exif value: Int) {
    switch value {
    case 1: self.init(rotation: .none)
    case 2: self.init(rotation: .none, isMirrored: true)
    case 3: self.init(rotation: .half)
    case 4: self.init(rotation: .half, isMirrored: true)
    case 5: self.init(rotation: .clockwise270, isMirrored: true)
    case 6: self.init(rotation: .clockwise90)
    case 7: self.init(rotation: .clockwise90, isMirrored: true)
    case 8: self.init(rotation: .clockwise270)
    default: return nil
    }
  }

  /// The EXIF orientation value, 1...8.
  public var exif: Int {
    switch (rotation, isMirrored) {
    case (.none, false): 1
    case (.none, true): 2
    case (.half, false): 3
    case (.half, true): 4
    case (.clockwise270, true): 5
    case (.clockwise90, false): 6
    case (.clockwise90, true): 7
    case (.clockwise270, false): 8
    }
  }

  /// The size of the upright picture made from stored pixels of `size`.
  public func applied(to size: PixelSize) -> PixelSize { rotation.swapsAxes ? size.transposed : size }

  /// This orientation, and then `next` on its result.
  public func followed(by next: Orientation) -> Orientation {
    // A mirror met after a turn is the same mirror before the opposite turn.
    let first = next.isMirrored ? rotation.inverse : rotation
    return Orientation(rotation: first + next.rotation, isMirrored: isMirrored != next.isMirrored)
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    Orientation(rotation: isMirrored ? rotation : rotation.inverse, isMirrored: isMirrored)
  }

  /// Degrees, after `mirrored` where that is so.
  public var description: String { isMirrored ? "mirrored \(rotation)" : "\(rotation)" }
}
