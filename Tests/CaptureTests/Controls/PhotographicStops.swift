import Glibc

enum PhotographicStops {
  /// Returns the number of stops by which `first` exceeds `second`.
  static func between(_ first: Double, _ second: Double) -> Double { log2(first / second) }
}
