/// A clockwise turn by a multiple of 90°.
public enum Rotation: Int, Sendable, CaseIterable, Codable, CustomStringConvertible {
  /// No turn.
  case none = 0
  /// A quarter-turn clockwise: the top becomes the right side.
  case clockwise90 = 90
  /// A half turn: upside down.
  case half = 180
  /// Three quarter-turns clockwise: the top becomes the left side.
  case clockwise270 = 270

  /// The turn nearest to an angle in degrees.
  public init(nearest degrees: Double) {
    let turns = Int((degrees / 90).rounded())
    self = Rotation(quarterTurns: turns)
  }

  /// Creates a turn from any number of quarter-turns clockwise, including negative ones; full turns are ignored.
  public init(quarterTurns turns: Int) {
    self = Rotation(rawValue: (turns % 4 + 4) % 4 * 90)!
  }

  /// The number of quarter-turns clockwise, 0 to 3.
  public var quarterTurns: Int { rawValue / 90 }
  /// Whether width and height are exchanged.
  public var swapsAxes: Bool { self == .clockwise90 || self == .clockwise270 }
  /// The turn that undoes this one.
  public var inverse: Rotation { Rotation(quarterTurns: -quarterTurns) }
  /// The angle in degrees, such as `90°`.
  public var description: String { "\(rawValue)°" }

  /// The two turns, one after the other.
  public static func + (left: Rotation, right: Rotation) -> Rotation {
    Rotation(quarterTurns: left.quarterTurns + right.quarterTurns)
  }
}

/// The operation that makes stored pixels upright: first mirrored left to right, if `isMirrored`, then turned
/// clockwise by `rotation`. These are the eight elements of the dihedral group that EXIF 2.32 tag 0x0112 numbers 1–8.
public struct Orientation: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The clockwise turn, after any mirroring.
  public var rotation: Rotation
  /// Whether left and right are exchanged before the turn, as in a mirror.
  public var isMirrored: Bool

  /// Creates an orientation, by default without a mirror.
  public init(rotation: Rotation, isMirrored: Bool = false) {
    self.rotation = rotation
    self.isMirrored = isMirrored
  }

  /// The pixels are stored upright.
  public static let upright = Orientation(rotation: .none)
  /// All eight orientations: the four turns, then the four turns after a mirror.
  public static let allCases: [Orientation] = [false, true].flatMap { mirrored in
    Rotation.allCases.map { Orientation(rotation: $0, isMirrored: mirrored) }
  }

  /// The orientation of the EXIF value; nil outside 1...8.
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

  /// The orientation that applies this one, and then `next`.
  public func followed(by next: Orientation) -> Orientation {
    // A mirror after a turn equals the same mirror before the opposite turn.
    let first = next.isMirrored ? rotation.inverse : rotation
    return Orientation(rotation: first + next.rotation, isMirrored: isMirrored != next.isMirrored)
  }

  /// The orientation that undoes this one.
  public var inverse: Orientation {
    Orientation(rotation: isMirrored ? rotation : rotation.inverse, isMirrored: isMirrored)
  }

  /// The angle in degrees, after `mirrored` if the orientation has a mirror.
  public var description: String { isMirrored ? "mirrored \(rotation)" : "\(rotation)" }
}
