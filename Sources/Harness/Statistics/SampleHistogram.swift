import Histogram

/// The bars drawn for a metric: each sample is put into its bucket of an HdrHistogram of three significant digits, and the buckets
/// are gathered into √n bars of equal width, 8 to 40.
struct SampleHistogram {
  let bins: [HistogramBin]
  private static let resolution = 1_000_000.0

  init(_ summary: Summary) {
    let span = summary.max - summary.min
    guard span > 0, span.isFinite else {
      bins = [HistogramBin(from: summary.min, to: summary.max, count: summary.count)]
      return
    }
    // HdrHistogram has buckets of positive integers: the range of the samples is spread over 1...10⁶.
    let buckets = Histogram<UInt64>(
      highestTrackableValue: UInt64(Self.resolution) + 1, numberOfSignificantValueDigits: .three)
    let bars = min(40, max(8, Int(Double(summary.count).squareRoot().rounded(.up))))
    var counts = [Int](repeating: 0, count: bars)
    for sample in summary.sorted {
      let place = UInt64((sample - summary.min) / span * Self.resolution) + 1
      let bar = Int(
        Double(buckets.highestEquivalentForValue(place) - 1) / Self.resolution * Double(bars))
      counts[min(bar, bars - 1)] += 1
    }
    bins = counts.enumerated().map { index, count in
      HistogramBin(
        from: summary.min + span * Double(index) / Double(bars),
        to: summary.min + span * Double(index + 1) / Double(bars),
        count: count)
    }
  }
}
