/// Turns the recogniser's output for a line into text, by the best path of connectionist temporal classification (Graves et al.,
/// ICML 2006), without repeats and blanks.
struct LineDecoding {
  let characters: CharacterList
  /// The least probability at which a space between two characters is kept, even if the blank is more probable. Between narrow
  /// letters a space has few steps.
  var leastSpace: Float = 0.1
  /// The greatest number of steps between two characters of one word; a step is a sixth of the line's height. Nil if a gap of any
  /// width may be within a word.
  var widestGap: Int?

  /// Decodes a line.
  /// - Parameter output: for each of `steps` steps the probability of each of `classes` classes; the last class is the space.
  func reading(_ output: UnsafePointer<Float>, steps: Int, classes: Int) -> LineReader.Reading {
    let space = classes - 1
    var (text, sum, count, last) = ("", Float(0), 0, 0)
    // The greatest probability of a space since the last character, and whether that character belongs to a word.
    var (likeliest, isInside) = (Float(0), false)
    var (end, letterEnd, gaps) = (0, 0, [Double]())
    for step in 0..<steps {
      let values = output + step * classes
      let (best, value) = LineReader.largest(values, classes)
      if best != 0, best != last {
        let isApart = widestGap.map { step - end > $0 } ?? false
        if isInside, best != space, likeliest >= leastSpace || isApart { text += " " }
        if text.last == " ", best != space {
          gaps.append(Double(step - letterEnd) / Double(LineReader.heightSteps))
        }
        text += characters.characters[best]
        sum += value
        count += 1
        (likeliest, isInside) = (0, best != space)
      } else {
        likeliest = max(likeliest, values[space])
      }
      if best != 0 { end = step }
      if best != 0, best != space { letterEnd = step }
      last = best
    }
    return LineReader.Reading(
      text: text, confidence: count == 0 ? 0 : Double(sum) / Double(count), gaps: gaps)
  }
}
