/// What the recogniser gives for a line → its text: the best path of connectionist temporal classification (Graves et al., ICML
/// 2006), repeats and blanks dropped.
struct LineDecoding {
  let characters: CharacterList
  /// Between two characters, a space at least this likely is one, though the blank is likelier: narrow letters leave it few steps.
  var leastSpace: Float = 0.1
  /// Steps between two characters after which they are of two words; each is a sixth of the line's height. Nil where letters may be spaced.
  var widestGap: Int?

  /// - Parameter output: for each of `steps` steps the probability of each of `classes` classes; the last class is the space.
  func reading(_ output: UnsafePointer<Float>, steps: Int, classes: Int) -> LineReader.Reading {
    let space = classes - 1
    var (text, sum, count, last) = ("", Float(0), 0, 0)
    // The likeliest space since the last character; none before the first.
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
