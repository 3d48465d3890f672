/// The features of a record, from which the probability is computed that it is a book on this shelf with the
/// right title. The features are ratios and logarithms, so that the resolution of the photo and its distance
/// do not matter. Only `names`, `edition` and `titleFrequency` use a list of words.
package enum RecordFeature: String, CaseIterable, Codable, Sendable {
  // The text.
  /// −ln(1.002 − p) of the mean probability p of the record's letters, 0 (p = 0) to 6.2 (p = 1).
  case letters
  /// −ln(1.002 − p) of the probability p of the record's least sure line, 0 to 6.2.
  case leastLine
  /// ln(1 + n) of the record's n letters, to 4.
  case length
  /// ln(1 + n) of the record's n words, to 2.5.
  case words
  /// The share of the record's letters and digits that are in plausible words, 0…1: see `PlausibleWords`.
  case plausible
  /// The share of digits among the record's letters and digits, 0…1.
  case digits
  /// 1 if the text is Cyrillic, which another recogniser reads; otherwise 0.
  case cyrillic
  /// 1 if an author was separated from the title; otherwise 0.
  case author
  /// 1 if the title reads like a person's name and the record has no author.
  case onlyName
  /// −ln(1.002 − p) of the probability p that title and author were separated rightly from each other and from other text, 0 to
  /// 6.2.
  case fields
  /// −ln(1.002 − p) of the probability p that title and author were separated rightly or nearly so, judged without the features
  /// of the labelling as a whole, 0 to 6.2.
  case nearFields
  /// Half the mean name score of the author's words, −1 to 1.25; 0 without an author.
  case names
  /// 1 if the title has a word of an edition or a volume.
  case edition
  /// How common the title's words are in print, without articles and the like, 0…1.
  case titleFrequency
  /// A fourth of the number of the title's words beyond seven.
  case titleExcess

  // The place.
  /// The length of the record's text along the spine, relative to the long texts of the photo, 0…1.5.
  case span
  /// ln of the text's length over its thickness, −1…4. A block of text has a low value.
  case slenderness
  /// ln(1 + n) of the record's n lines, to 2.5.
  case lines
  /// ln of the height of the largest line over that of the smallest, 0…2.
  case variety
  /// |ln| of the letters' height over the median height in the photo, 0…2.
  case unevenSize
  /// ln of the letters' height over the photo's long side, −7…−1.
  case size
  /// 1 if the text reads up or down.
  case standing
  /// 1 if the text is horizontal although most text of the photo is vertical.
  case lyingAmongStanding
  /// 1 if the photo's border or a sign cuts the text off, by the rules of `SpineEvidence`.
  case broken
  /// The distance to the photo's border, in heights of the record's letters, 0…2.
  case margin

  // The edges.
  /// 1 if at least a faint edge runs on one side.
  case flanked
  /// ln(1 + step) of the weaker of the edges on the two sides. The colour step, 0…255, has six possible
  /// values.
  case weakFlank
  /// ln(1 + step) of the stronger of the edges on the two sides.
  case strongFlank
  /// The number of the two edges that run on beyond the text, 0…2.
  case longFlanks
  /// The thickness of the text as a share of the outline's thickness, 0…1.
  case fill

  // The neighbours.
  /// The number of sides on which another record runs parallel to this record, 0…2.
  case sides
  /// ln(1 + n) of the n records that run parallel to this record, at any distance, to 3.
  case parallels
  /// 1 if a longer record is in line with this record on the same spine.
  case fragment
  /// The share of the text that other records cover, 0…1.
  case covered

  // The photo.
  /// ln(1 + n) of the photo's n records, at most 4.
  case records
  /// The share of the photo's text, by length, that runs parallel to this record, 0…1.
  case parallelShare
  /// The share of the photo's text, by length, with an edge on at least one side, 0…1.
  case flankedShare
}

package struct MeasuredRecord: Sendable {
  /// The finding. Until a model has judged it, its confidence is the mean probability of the letters.
  package var finding: SpineFinding
  package var features: [RecordFeature: Double]
  /// The words of the record in reading order, with the features that decided their roles.
  package var words: [MeasuredWord] = []
  /// The colour of each line's letters: L*, a*, b*.
  package var inks: [[Double]] = []
}
