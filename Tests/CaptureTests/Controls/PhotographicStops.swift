import Glibc

enum PhotographicStops {
  /// Returns the number of stops from the second value to the first.
  static func between(_ first: Double, _ second: Double) -> Double { log2(first / second) }
}
