/// What is measured of a record to tell whether it is a book on this shelf with the right title. Ratios and logarithms, so that neither
/// the photo's resolution nor its distance matters; none asks a list of words.
package enum RecordFeature: String, CaseIterable, Codable, Sendable {
  // The text.
  /// −ln(1.002 − p) of the mean probability p of its letters, 0 (p = 0) to 6.2 (p = 1).
  case letters
  /// The same of its least sure line.
  case leastLine
  /// ln(1 + n) of its n letters, to 4.
  case length
  /// ln(1 + n) of its n words, to 2.5.
  case words
  /// Share of its letters in words with vowels, consonants and an even case, 0…1.
  case plausible
  /// Share of digits among its letters and digits, 0…1.
  case digits
  /// 1 for Cyrillic, which is read by another recogniser.
  case cyrillic
  /// 1 when an author was told from the title.
  case author
  /// 1 when all of it reads like a person's name.
  case onlyName
  /// −ln(1.002 − p) of the probability p that the words of title and author were told from each other and from the rest, 0 to 6.2.
  case fields

  // Its place.
  /// Length of its text along the spine as a share of the photo's long ones, 0…1.5.
  case span
  /// ln of its text's length over its thickness, −1…4. Low for a block of text.
  case slenderness
  /// ln(1 + n) of its n lines, to 2.5.
  case lines
  /// ln of the height of its largest line over its smallest, 0…2.
  case variety
  /// |ln| of its letters' height over the median of the photo's records, 0…2.
  case unevenSize
  /// ln of its letters' height over the photo's long side, −7…−1.
  case size
  /// 1 when its text reads up or down.
  case standing
  /// 1 when it lies although most text of the photo stands.
  case lyingAmongStanding
  /// 1 when it is cut off by the border or a sign by the rules of `SpineEvidence`.
  case broken
  /// Distance to the photo's border in heights of its letters, 0…2.
  case margin

  // Its edges.
  /// 1 when a faint edge runs on one side at least.
  case flanked
  /// ln(1 + step) of the weaker of the edges on its two sides, the step of colour 0…255 in six stages.
  case weakFlank
  /// The same of the stronger.
  case strongFlank
  /// How many of the two edges run on past the text, 0…2.
  case longFlanks
  /// Thickness of its text as a share of that of its outline, 0…1.
  case fill

  // Its neighbours.
  /// On how many sides another record runs parallel to it, 0…2.
  case sides
  /// ln(1 + n) of the n records beside it or beyond those that run parallel to it, to 3.
  case parallels
  /// 1 when a longer record stands in line with it on the same spine.
  case fragment
  /// Share of its text that other records cover, 0…1.
  case covered

  // The photo.
  /// ln(1 + n) of its n records, to 4.
  case records
  /// Share of the text of the photo, by length, that runs parallel to this record, 0…1.
  case parallelShare
  /// Share of the text of the photo, by length, that has an edge on a side, 0…1.
  case flankedShare
}

/// A record, and what was measured of it.
package struct MeasuredRecord: Sendable {
  /// Its confidence is the mean probability of its letters until a model has judged it.
  package var finding: SpineFinding
  /// Every feature.
  package var features: [RecordFeature: Double]
  /// Its words in reading order, with what told their parts.
  package var words: [MeasuredWord] = []
  /// By line, the colour of its letters: L*, a*, b*.
  package var inks: [[Double]] = []
}
