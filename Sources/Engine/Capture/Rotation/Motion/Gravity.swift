import Glibc

/// Acceleration in m/s² along the axes of a device's screen, as Linux accelerometers report it at rest: held upright, it is
/// −9.81 along y; with its left side up (turned clockwise by 90°, as its user sees it), +9.81 along x. iio-sensor-proxy expects the same signs,
/// after the sensor's `mount_matrix`.
public struct Gravity: Hashable, Sendable {
  /// Across the screen, in m/s².
  public var x: Double
  /// Along the height of the screen, in m/s².
  public var y: Double
  /// Through the screen, in m/s².
  public var z: Double

  /// - Parameters: all in m/s², after the sensor's `mount_matrix`.
  public init(x: Double, y: Double, z: Double) {
    self.x = x
    self.y = y
    self.z = z
  }

  /// Standard gravity, m/s².
  static let standard = 9.80665
  /// The angle from the horizontal, in degrees, below which a device has no meaningful upright direction.
  private static let flattest = 20.0

  /// The device's clockwise turn from upright, 0..<360 degrees. Nil if the reading gives no direction: the device lies
  /// flat or is shaken (less than half or more than one and a half of gravity), or the values are not finite.
  public var attitude: Double? {
    let whole = (x * x + y * y + z * z).squareRoot()
    guard whole.isFinite, (0.5...1.5).contains(whole / Gravity.standard) else { return nil }
    guard (x * x + y * y).squareRoot() >= whole * sin(Gravity.flattest * .pi / 180) else { return nil }
    let degrees = atan2(x, -y) * 180 / .pi
    return degrees < 0 ? degrees + 360 : degrees
  }
}

/// The rotation from a sensor's axes to its device's (IIO attribute `mount_matrix`), by rows.
struct MountMatrix: Hashable, Sendable {
  private var rows: [[Double]]

  static let identity = MountMatrix(rows: [[1, 0, 0], [0, 1, 0], [0, 0, 1]])

  private init(rows: [[Double]]) { self.rows = rows }

  /// Parses `a, b, c; d, e, f; g, h, i`.
  /// - Returns: nil unless the text has nine numbers from −1000 to 1000.
  init?(_ text: String) {
    let rows = text.split(separator: ";", maxSplits: 3, omittingEmptySubsequences: false).map { row in
      row.split(separator: ",", maxSplits: 3, omittingEmptySubsequences: false).map { number in
        Double(String(number.filter { !$0.isWhitespace }))
      }
    }
    let numbers = rows.map { $0.compactMap { $0 } }
    guard rows.count == 3, zip(rows, numbers).allSatisfy({ $0.count == 3 && $1.count == 3 }),
      numbers.joined().allSatisfy({ abs($0) <= 1000 })
    else { return nil }
    self.rows = numbers
  }

  func applied(to values: [Double]) -> Gravity {
    let turned = rows.map { row in zip(row, values).reduce(0) { $0 + $1.0 * $1.1 } }
    return Gravity(x: turned[0], y: turned[1], z: turned[2])
  }
}
