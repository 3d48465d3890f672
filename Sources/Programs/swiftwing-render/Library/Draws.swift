import System

/// The random numbers of the drawings. The corpora depend on exactly these formulas and their order: any change gives other pictures.
extension SplitMix64 {
  /// A uniform number from 0 up to, but not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  mutating func number(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  mutating func index(below count: Int) -> Int { Int(next() >> 33) % count }

  mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(below: elements.count)] }

  /// An approximately normal number: the sum of twelve uniform numbers has variance 1.
  mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + unit() } }

  mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
    var elements = elements
    for last in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(last, index(below: last + 1))
    }
    return elements
  }
}
