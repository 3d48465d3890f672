/// SplitMix64 (Steele, Lea, Flood 2014): the same numbers every time, everywhere.
struct SplitMix {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  @inline(__always)
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// 0 up to, not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  mutating func index(below count: Int) -> Int { Int(next() >> 33) % count }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(below: elements.count)] }

  /// Nearly normal: the sum of twelve uniform numbers has variance 1.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, index(below: last + 1))
    }
    return elements
  }
}
