import System
import Testing

@testable import ScanStation

@Suite struct SpineTextTests {
  /// Returns Levenshtein's distance, computed by its definition with the complete table.
  private func distance(_ one: [UInt32], _ other: [UInt32]) -> Int {
    var table = [Array(0...other.count)]
    for (i, letter) in one.enumerated() {
      var row = [i + 1]
      for (j, against) in other.enumerated() {
        row.append(min(table[i][j] + (letter == against ? 0 : 1), table[i][j + 1] + 1, row[j] + 1))
      }
      table.append(row)
    }
    return table[one.count][other.count]
  }

  @Test func wordsAreWithinWhatTheirDistanceSays() {
    var chance = SplitMix64(seed: 20)
    func word(_ letters: Int) -> [UInt32] {
      (0..<Int.random(in: 0...letters, using: &chance)).map { _ in UInt32.random(in: 97...99, using: &chance)
      }
    }
    for _ in 0..<20_000 {
      let (one, other) = (word(9), word(9))
      let (real, most) = (distance(one, other), Int.random(in: 0...6, using: &chance))
      let isWithin = SpineText.isWithin(most, SpineText.Word(one), other: SpineText.Word(other))
      #expect(isWithin == (real <= most), "\(one) \(other) \(most) \(real)")
    }
  }

  /// A letter with a mark but without a precomposed form, or a sign of several scalars, counts as one letter.
  @Test func lettersOfSeveralScalarsAreTold() {
    #expect(
      SpineText(title: "Šv̌ejk in Prag", author: nil).isSame(
        as: SpineText(title: "Švejk in Prag", author: nil)))
    #expect(SpineText(title: "दुनिया", author: nil).isSame(as: SpineText(title: "दुनिया", author: nil)))
    #expect(!SpineText(title: "दुनिया", author: nil).isSame(as: SpineText(title: "धरती", author: nil)))
  }

  @Test func volumesAreToldApart() {
    func same(_ one: String, _ other: String) -> Bool {
      SpineText(title: one, author: nil).isSame(as: SpineText(title: other, author: nil))
    }
    #expect(same("Gesammelte Werke II", "Gesamelte Werke II"))
    #expect(!same("Gesammelte Werke II", "Gesammelte Werke III"))
    #expect(!same("Jahrbuch 1998", "Jahrbuch 1999"))
  }
}
