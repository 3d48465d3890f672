import Imagery

/// Compares two readings of one picture: holds the words of the first, and counts how many of them the second has too.
///
/// A word is a run of letters and digits with at least two letters in it, in lower case and without diacritics. It is *kept* if
/// the other reading has the word's letters in order at its place. Letters that were used for one word do not count for another.
///
/// - The place: the line and the word overlap by at least three tenths of the smaller one, and the middle of the letters is no
///   farther from the word's middle than half the word's length and two heights of its line.
/// - Spaces are ignored, because the recogniser drops them at every size: `squaremile` keeps `square` and `mile`, and the reverse.
/// - One letter of a word of six or more letters may differ.
/// - Words of lines read with a confidence below 0.9 at full size do not count. At the reduced size any confidence is enough.
struct LegibleWords {
  /// A word and its region, in pixels of the picture at full size.
  struct Word {
    var letters: [Character]
    var region: TextRegion

    func moved(by way: Point) -> Word {
      var word = self
      word.region.center = region.center + way
      return word
    }
  }

  /// A line of the other reading.
  private struct Line {
    var letters: [Character]
    /// The middle of each letter along the line: 0 at the line's beginning, 1 at its end.
    var places: [Double]
    var region: TextRegion
    var box: Box
    var isUsed: [Bool]
  }

  /// `lineLimit`: the greatest number of lines that are compared. `letterLimit`: the greatest number of letters of a line.
  private static let (lineLimit, letterLimit) = (5000, 400)
  /// The least length of a word in which one letter may differ. Of 1,383 words of twelve photographs of shelves, 88.4 % are kept
  /// exactly at 1920 pixels, and 90.6 % with this tolerance. A least length of four would keep 92.1 %, but it accepts `press` for
  /// `dress` and `mein` for `mei`, which are different words.
  static let tolerantLength = 6
  /// The least confidence of a line whose words count. In the same photographs, 29 % of the words below it were read again at
  /// 1920 or 1664 pixels, and 89 % of the other words. Most of the words below it are no words.
  static let leastConfidence = 0.9

  /// The words of the picture at full size.
  let words: [Word]

  /// Takes the words of a reading.
  /// - Parameter lines: the lines read at full size.
  init(_ lines: [TextLine]) {
    words = lines.prefix(Self.lineLimit).filter { $0.confidence >= Self.leastConfidence }
      .flatMap { Self.words($0) }
      // Long words come first, so that short ones do not take their letters.
      .sorted { $0.letters.count > $1.letters.count }
  }

  /// Takes a selection of words, in the order of the reading.
  init(words: [Word]) { self.words = words }

  /// Returns the number of these words that another reading has too.
  /// - Parameters:
  ///   - size: the size of the picture of that reading, pixels.
  ///   - full: the size of the picture at full size, pixels.
  func kept(in lines: [TextLine], of size: PixelSize, full: PixelSize) -> Int {
    let scale = (Double(full.width) / Double(size.width), Double(full.height) / Double(size.height))
    var others = lines.prefix(Self.lineLimit).map { Self.line($0, scale) }
    // Words that are read exactly take their letters first, before words with a differing letter.
    let missed = words.filter { !Self.take($0, from: &others, isExact: true) }
    return words.count - missed.count
      + missed.count {
        $0.letters.count >= Self.tolerantLength && Self.take($0, from: &others, isExact: false)
      }
  }

  // MARK: Words of a line

  private static func words(_ line: TextLine) -> [Word] {
    let (letters, places) = folded(line.text, keepsGaps: true)
    var words: [Word] = []
    var run: [Int] = []
    for index in 0...letters.count {
      if index < letters.count, letters[index] != " " {
        run.append(index)
        continue
      }
      defer { run = [] }
      guard let first = run.first, let last = run.last, run.count(where: { letters[$0].isLetter }) >= 2
      else { continue }
      let half = 0.5 / Double(max(line.text.count, 1))
      words.append(
        Word(
          letters: run.map { letters[$0] },
          region: part(of: line.region, from: places[first] - half, to: places[last] + half)))
    }
    return words
  }

  private static func part(of region: TextRegion, from start: Double, to end: Double) -> TextRegion {
    TextRegion(
      center: region.center + region.along * (region.length * ((start + end) / 2 - 0.5)),
      length: region.length * (end - start), height: region.height, angle: region.angle)
  }

  /// Returns the letters and digits in lower case without diacritics. With `keepsGaps`, every other character becomes a blank.
  private static func folded(_ text: String, keepsGaps: Bool) -> (letters: [Character], places: [Double]) {
    let count = Double(max(text.count, 1))
    var (letters, places): ([Character], [Double]) = ([], [])
    for (index, character) in text.prefix(letterLimit).enumerated() {
      let plain = TitleScore.words(String(character)).joined()
      let place = (Double(index) + 0.5) / count
      for letter in plain {
        letters.append(letter)
        places.append(place)
      }
      if plain.isEmpty, keepsGaps {
        letters.append(" ")
        places.append(place)
      }
    }
    return (letters, places)
  }

  // MARK: The other reading

  private static func line(_ line: TextLine, _ scale: (x: Double, y: Double)) -> Line {
    var region = line.region
    region.center = Point(x: region.center.x * scale.x, y: region.center.y * scale.y)
    region.length *= (scale.x + scale.y) / 2
    region.height *= (scale.x + scale.y) / 2
    let (letters, places) = folded(line.text, keepsGaps: false)
    return Line(
      letters: letters, places: places, region: region, box: region.box,
      isUsed: [Bool](repeating: false, count: letters.count))
  }

  private static func take(_ word: Word, from lines: inout [Line], isExact: Bool) -> Bool {
    let box = word.region.box
    for index in lines.indices where lines[index].box.meets(box) {
      if take(word, from: &lines[index], isExact: isExact) { return true }
    }
    return false
  }

  private static func take(_ word: Word, from line: inout Line, isExact: Bool) -> Bool {
    guard line.region.intersection(word.region) >= 0.3 * min(word.region.area, line.region.area) else {
      return false
    }
    let count = word.letters.count
    for length in isExact ? [count] : [count, count - 1, count + 1] where length <= line.letters.count {
      for start in 0...(line.letters.count - length) {
        let range = start..<(start + length)
        guard isFree(range, for: word, in: line) else { continue }
        let letters = Array(line.letters[range])
        guard isExact ? letters == word.letters : isNearly(letters, word.letters) else { continue }
        for index in range { line.isUsed[index] = true }
        return true
      }
    }
    return false
  }

  private static func isNearly(_ left: [Character], _ right: [Character]) -> Bool {
    ReadText.distance(left, right, isWithin: false) <= 1
  }

  private static func isFree(_ range: Range<Int>, for word: Word, in line: Line) -> Bool {
    guard !line.isUsed[range].contains(true) else { return false }
    let place = (line.places[range.lowerBound] + line.places[range.upperBound - 1]) / 2
    let center = line.region.center + line.region.along * (line.region.length * (place - 0.5))
    let offset = center - word.region.center
    let reach = word.region.length / 2 + 2 * word.region.height
    return offset.dot(offset) <= reach * reach
  }
}
