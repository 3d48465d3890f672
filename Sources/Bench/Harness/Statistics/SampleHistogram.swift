import Histogram

/// The histogram of a metric: counted by an HdrHistogram with three significant digits, then gathered into √n bins of equal width, 8 to 40.
struct SampleHistogram {
  let bins: [HistogramBin]
  private static let resolution = 1_000_000.0

  init(_ summary: Summary) {
    let span = summary.max - summary.min
    guard span > 0, span.isFinite else {
      bins = [HistogramBin(from: summary.min, to: summary.max, count: summary.count)]
      return
    }
    // HdrHistogram counts positive integers, so the range of the samples is mapped to 1...10⁶.
    var histogram = Histogram<UInt64>(
      highestTrackableValue: UInt64(Self.resolution) + 1, numberOfSignificantValueDigits: .three)
    for sample in summary.sorted {
      histogram.record(UInt64((sample - summary.min) / span * Self.resolution) + 1)
    }
    let bars = min(40, max(8, Int(Double(summary.count).squareRoot().rounded(.up))))
    bins = Self.gather(histogram, into: bars, from: summary.min, span: span)
  }

  private static func gather(
    _ histogram: Histogram<UInt64>, into bars: Int, from origin: Double, span: Double
  ) -> [HistogramBin] {
    var counts = [Int](repeating: 0, count: bars)
    for value in histogram.recordedValues() {
      let bar = Int(Double(value.value - 1) / resolution * Double(bars))
      counts[min(bar, bars - 1)] += Int(value.count)
    }
    return counts.enumerated().map { index, count in
      HistogramBin(
        from: origin + span * Double(index) / Double(bars),
        to: origin + span * Double(index + 1) / Double(bars),
        count: count)
    }
  }
}
