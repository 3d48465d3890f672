/// Assigns the spines between two sure spines to the holdings that belong there, if both are in order.
///
/// Uses dynamic programming over both sequences (Needleman and Wunsch 1970) without a gap penalty, and maximises the sum of the pairs' likeness.
struct InOrder {
  /// The minimum likeness of a pair.
  static let accepted = 0.42
  /// How far the likeness of a pair may be below the spine's highest likeness to any holding of the list (`elsewhere`), and to any of these holdings
  /// (`here`).
  private static let (elsewhere, here) = (0.2, 0.02)

  /// The holding of each spine, with its likeness to the spine. Nil if the spine is none of these holdings.
  private(set) var found: [(holding: Int, likeness: Double)?]
  /// The highest likeness of each spine to any of these holdings.
  private(set) var best: [Double]

  /// - Parameters:
  ///   - spines: the numbers of the spines, in the order of the shelf.
  ///   - holdings: the numbers of the holdings, in the order of their places.
  init(_ spines: [Int], _ holdings: [Int], _ pairs: SpinePairs) {
    let likeness = spines.map { spine in
      holdings.map {
        pairs.spines[spine].isBlank ? 0 : pairs.measure.inPlace(pairs.spines[spine], pairs.holdings[$0])
      }
    }
    best = likeness.map { $0.max() ?? 0 }
    found = [(holding: Int, likeness: Double)?](repeating: nil, count: spines.count)
    let least = zip(spines, best).map { max(Self.accepted, pairs.best($0) - Self.elsewhere, $1 - Self.here) }
    var sums = [[Double]](
      repeating: [Double](repeating: 0, count: holdings.count + 1), count: spines.count + 1)
    for row in spines.indices {
      for column in holdings.indices {
        let value = likeness[row][column]
        let paired = value >= least[row] ? sums[row][column] + value : 0
        sums[row + 1][column + 1] = max(sums[row][column + 1], sums[row + 1][column], paired)
      }
    }
    var (row, column) = (spines.count, holdings.count)
    while row > 0, column > 0 {
      if sums[row][column] == sums[row - 1][column] {
        row -= 1
      } else if sums[row][column] == sums[row][column - 1] {
        column -= 1
      } else {
        (row, column) = (row - 1, column - 1)
        found[row] = (holdings[column], likeness[row][column])
      }
    }
  }
}
