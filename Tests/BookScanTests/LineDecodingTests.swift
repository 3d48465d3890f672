import Testing

@testable import BookScan

@Suite struct LineDecodingTests {
  private let characters = CharacterList(characters: ["", "a", "b", "c", " "])

  /// Decodes a line.
  /// - Parameter steps: for each step, the index of the most probable class and the probability of a space.
  private func read(_ steps: [(best: Int, space: Float)], leastSpace: Float = 0.1, widestGap: Int? = nil)
    -> LineReader.Reading
  {
    var output: [Float] = []
    for (best, space) in steps {
      var classes: [Float] = [0.01, 0.01, 0.01, 0.01, space]
      classes[best] = best == 4 ? max(space, 0.6) : 0.8
      output += classes
    }
    return output.withUnsafeBufferPointer {
      LineDecoding(characters: characters, leastSpace: leastSpace, widestGap: widestGap)
        .reading($0.baseAddress!, steps: steps.count, classes: 5)
    }
  }

  @Test func repeatsAndBlanksAreDropped() {
    let reading = read([(0, 0), (1, 0), (1, 0), (0, 0), (1, 0), (2, 0), (4, 0.6), (3, 0), (0, 0)])
    #expect(reading.text == "aab c")
    #expect(abs(reading.confidence - (4 * 0.8 + 0.6) / 5) < 1e-6)
  }

  @Test func aLikelySpaceBetweenLettersIsOne() {
    #expect(read([(1, 0), (0, 0.12), (2, 0)]).text == "a b")
    #expect(read([(1, 0), (0, 0.05), (2, 0)]).text == "ab")
    #expect(read([(1, 0), (0, 0.12), (2, 0)], leastSpace: 0.2).text == "ab")
    // An inserted space does not count as a letter. It is never first, last or doubled.
    #expect(abs(read([(1, 0), (0, 0.12), (2, 0)]).confidence - 0.8) < 1e-6)
    #expect(read([(0, 0.5), (1, 0), (0, 0.5)]).text == "a")
    #expect(read([(1, 0), (0, 0.3), (4, 0.7), (0, 0.3), (2, 0)]).text == "a b")
  }

  @Test func aWideGapPartsWords() {
    let apart: [(best: Int, space: Float)] = [(1, 0), (0, 0), (0, 0), (0, 0), (2, 0)]
    #expect(read(apart).text == "ab")
    #expect(read(apart, widestGap: 3).text == "a b")
    #expect(read(apart, widestGap: 4).text == "ab")
    // No space is inserted before the first character, nor next to a space that was read.
    #expect(read([(0, 0), (0, 0), (0, 0), (1, 0)], widestGap: 2).text == "a")
    #expect(read([(1, 0), (0, 0), (4, 0.7), (0, 0), (0, 0), (2, 0)], widestGap: 2).text == "a b")
  }
}
