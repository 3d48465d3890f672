/// The features by which a record is judged: whether it is a book on this shelf with the right title. They are ratios and
/// logarithms, so that neither the photo's resolution nor the camera's distance matters. Only `names` and `edition` use a list of
/// words.
package enum RecordFeature: String, CaseIterable, Codable, Sendable {
  // The text.
  /// −ln(1.002 − p) of the mean probability p of the record's letters, 0 (p = 0) to 6.2 (p = 1).
  case letters
  /// −ln(1.002 − p) of the probability p of the record's least sure line, 0 to 6.2.
  case leastLine
  /// ln(1 + n) of the record's n letters, at most 4.
  case length
  /// ln(1 + n) of the record's n words, at most 2.5.
  case words
  /// The share of the record's letters and digits that are in plausible words, 0…1: see `PlausibleWords`.
  case plausible
  /// The share of digits among the record's letters and digits, 0…1.
  case digits
  /// 1 if the text is Cyrillic, which another recogniser reads; otherwise 0.
  case cyrillic
  /// 1 if an author was separated from the title; otherwise 0.
  case author
  /// 1 if the title reads like a person's name and the record has no author; otherwise 0.
  case onlyName
  /// −ln(1.002 − p) of the probability p that title and author were separated rightly from each other and from other text, 0 to
  /// 6.2.
  case fields
  /// Half the mean name score of the author's words, −1 to 1.25; 0 without an author.
  case names
  /// 1 if the title has a word of an edition or a volume; otherwise 0.
  case edition

  // The place of the record's text.
  /// The length of the record's text along the spine, as a multiple of the length of a long text in the photo, 0…1.5.
  case span
  /// ln of the length of the record's text divided by its thickness, −1…4. Low for a block of text.
  case slenderness
  /// ln(1 + n) of the record's n lines, at most 2.5.
  case lines
  /// ln of the height of the record's largest line divided by that of its smallest, 0…2.
  case variety
  /// |ln| of the height of the record's letters divided by the median height in the photo, 0…2.
  case unevenSize
  /// ln of the height of the record's letters divided by the photo's long side, −7…−1.
  case size
  /// 1 if the record's text reads up or down; otherwise 0.
  case standing
  /// 1 if the record's text lies although most text of the photo stands; otherwise 0.
  case lyingAmongStanding
  /// 1 if, by the rules of `SpineEvidence`, the record is cut off by the photo's border or is a sign; otherwise 0.
  case broken
  /// The distance of the record from the photo's border, in heights of the record's letters, 0…2.
  case margin

  // The edges beside the record's text.
  /// 1 if an edge, even a faint one, runs along at least one side of the text; otherwise 0.
  case flanked
  /// ln(1 + step) of the weaker of the edges on the two sides. The colour step is 0 without an edge, otherwise one of
  /// `FlankMeasure.steps`.
  case weakFlank
  /// ln(1 + step) of the stronger of the edges on the two sides.
  case strongFlank
  /// The number of sides on which the edge runs on past the text, 0…2.
  case longFlanks
  /// The thickness of the record's text divided by the thickness of its outline, 0…1.
  case fill

  // The neighbouring records.
  /// The number of sides on which another record runs parallel to this one, 0…2.
  case sides
  /// ln(1 + n) of the n records that run parallel beside this one, at any distance, at most 3.
  case parallels
  /// 1 if a longer record is in line with this one on the same spine; otherwise 0.
  case fragment
  /// The share of the record's text that other records cover, 0…1.
  case covered

  // The photo.
  /// ln(1 + n) of the photo's n records, at most 4.
  case records
  /// The share of the photo's text, by length, that runs parallel to this record, 0…1.
  case parallelShare
  /// The share of the photo's text, by length, with an edge on at least one side, 0…1.
  case flankedShare
}

/// A record and its features.
package struct MeasuredRecord: Sendable {
  /// The finding. Until a model has judged it, its confidence is the mean probability of the letters.
  package var finding: SpineFinding
  /// The value of every feature.
  package var features: [RecordFeature: Double]
  /// The record's words in reading order, with the features that decided their roles.
  package var words: [MeasuredWord] = []
  /// The colour of each line's letters: L*, a*, b*.
  package var inks: [[Double]] = []
}
