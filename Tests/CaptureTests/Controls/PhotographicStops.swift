import Glibc

enum PhotographicStops {
  /// How many stops the first is above the second.
  static func between(_ first: Double, _ second: Double) -> Double { log2(first / second) }
}
