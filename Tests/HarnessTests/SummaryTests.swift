import Testing

@testable import Harness

@Suite struct SummaryTests {
  @Test func percentilesAreNearestRank() throws {
    let summary = try #require(Summary((1...100).map(Double.init).reversed()))
    #expect(summary.percentile(50) == 50)
    #expect(summary.percentile(90) == 90)
    #expect(summary.percentile(99) == 99)
    #expect(summary.percentile(100) == 100)
    #expect(summary.percentile(0) == 1)
    #expect(summary.mean == 50.5 || abs(summary.mean - 50.5) < 1e-9)
  }

  @Test func ninetyNinthOfFewIsTheMaximum() throws {
    #expect(try #require(Summary([3, 1, 2])).percentile(99) == 3)
    #expect(try #require(Summary([7])).median == 7)
  }

  @Test func noneOrNotFiniteIsNoSummary() {
    #expect(Summary([]) == nil)
    #expect(Summary([1, .nan]) == nil)
    #expect(Summary([1, .infinity]) == nil)
  }

  @Test func histogramHoldsEverySampleOnce() throws {
    let samples = (0..<1000).map { Double($0 * $0) / 1000 }
    let bins = SampleHistogram(try #require(Summary(samples))).bins
    #expect(bins.count == 32)
    #expect(bins.map(\.count).reduce(0, +) == 1000)
    let first = bins[0]
    let inFirst = samples.count { $0 < first.to }
    #expect(abs(first.count - inFirst) <= 1)
  }

  @Test func histogramOfEqualSamplesIsOneBar() throws {
    let bins = SampleHistogram(try #require(Summary([5, 5, 5]))).bins
    #expect(bins == [HistogramBin(from: 5, to: 5, count: 3)])
  }
}

@Suite struct FigureTests {
  @Test(arguments: [
    (1234567.0, "1,234,567"), (-1234.0, "−1,234"), (0.5, "0.500"), (16.667, "16.7"), (2.345, "2.35"),
    (123.4, "123"), (-0.25, "−0.250"), (0, "0"), (.infinity, "–"),
  ])
  func numbersAreShort(_ value: Double, _ text: String) { #expect(Figure.number(value) == text) }

  @Test func unitsAreAsPeopleWriteThem() {
    #expect(Figure.text(16.667, .milliseconds) == "16.7 ms")
    #expect(Figure.text(173_000, .bytes) == "173 kB")
    #expect(Figure.text(3, .count) == "3")
    #expect(Figure.text(nil, .count) == "–")
    #expect(Figure.change(1.31) == "+31 %")
    #expect(Figure.change(0.987) == "−1.3 %")
  }
}
