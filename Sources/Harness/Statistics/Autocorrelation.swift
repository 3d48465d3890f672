/// How much samples resemble their neighbours.
enum Autocorrelation {
  /// The number of independent samples that say as much about a mean as these: n ÷ (1 + 2 Σ ρₖ). The sum runs over pairs of lags
  /// while they stay positive (Geyer 1992, initial positive sequence).
  /// - Parameter insignificant: pairs up to so many standard errors count as none; 0 counts all that are positive.
  /// - Returns: 2 to the number of samples.
  static func effectiveCount(_ series: [Double], insignificant: Double = 0) -> Double {
    let count = series.count
    let mean = series.reduce(0, +) / Double(count)
    let centred = series.map { $0 - mean }
    let variance = centred.reduce(0) { $0 + $1 * $1 }
    guard count > 8, variance > 0 else { return Double(count) }
    func correlation(_ lag: Int) -> Double {
      var sum = 0.0
      for index in lag..<count { sum += centred[index] * centred[index - lag] }
      return sum / variance
    }
    // A sum of two correlations of independent samples has the standard error √(2/n).
    let least = insignificant * (2 / Double(count)).squareRoot()
    var time = 1.0
    for lag in stride(from: 1, to: min(count / 2, 400), by: 2) {
      let pair = correlation(lag) + correlation(lag + 1)
      guard pair > least else { break }
      time += 2 * pair
    }
    return min(Double(count), max(2, Double(count) / time))
  }
}
