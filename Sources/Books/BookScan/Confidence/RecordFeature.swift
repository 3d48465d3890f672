/// The features of a record by which it is judged to be a book on this shelf with the right title. They are ratios and
/// logarithms, so that neither the photo's resolution nor its distance matters. Only `names` and `edition` use a
/// list of words.
package enum RecordFeature: String, CaseIterable, Codable, Sendable {
  // The text.
  /// −ln(1.002 − p) of the mean probability p of its letters, 0 (p = 0) to 6.2 (p = 1).
  case letters
  /// −ln(1.002 − p) of the probability p of its least sure line, 0 to 6.2.
  case leastLine
  /// ln(1 + n) of its n letters, to 4.
  case length
  /// ln(1 + n) of its n words, to 2.5.
  case words
  /// The share of its letters and digits that are in plausible words, 0…1: see `PlausibleWords`.
  case plausible
  /// Share of digits among its letters and digits, 0…1.
  case digits
  /// 1 for Cyrillic, which is read by another recogniser.
  case cyrillic
  /// 1 if an author was separated from the title.
  case author
  /// 1 if its title reads like a person's name and it has no author.
  case onlyName
  /// −ln(1.002 − p) of the probability p that title and author were separated rightly from each other and from the rest, 0 to
  /// 6.2.
  case fields
  /// The mean of half the name scores of its author's words, −1 to 1.25; 0 without an author.
  case names
  /// 1 if its title has a word of an edition or a volume.
  case edition

  // Its place.
  /// The length of its text along the spine, relative to the photo's long ones, 0…1.5.
  case span
  /// ln of its text's length over its thickness, −1…4. A block of text has a low value.
  case slenderness
  /// ln(1 + n) of its n lines, to 2.5.
  case lines
  /// ln of the height of its largest line over its smallest, 0…2.
  case variety
  /// |ln| of its letters' height over the median height in the photo, 0…2.
  case unevenSize
  /// ln of its letters' height over the photo's long side, −7…−1.
  case size
  /// 1 if its text reads up or down.
  case standing
  /// 1 if it lies although most text of the photo stands.
  case lyingAmongStanding
  /// 1 if it is cut off by the border, or a sign, by the rules of `SpineEvidence`.
  case broken
  /// The distance to the photo's border, in heights of its letters, 0…2.
  case margin

  // Its edges.
  /// 1 if at least a faint edge runs on one side.
  case flanked
  /// ln(1 + step) of the weaker of the edges on its two sides. The colour step, 0…255, has six possible values.
  case weakFlank
  /// ln(1 + step) of the stronger of these edges.
  case strongFlank
  /// The number of the two edges that run on past the text, 0…2.
  case longFlanks
  /// The thickness of its text as a share of its outline's thickness, 0…1.
  case fill

  // Its neighbours.
  /// The number of sides on which another record runs parallel to it, 0…2.
  case sides
  /// ln(1 + n) of the n records that run parallel beside it, at any distance, to 3.
  case parallels
  /// 1 if a longer record is in line with it on the same spine.
  case fragment
  /// The share of its text that other records cover, 0…1.
  case covered

  // The photo.
  /// ln(1 + n) of the photo's n records, to 4.
  case records
  /// The share of the photo's text, by length, that runs parallel to this record, 0…1.
  case parallelShare
  /// The share of the photo's text, by length, that has an edge on at least one side, 0…1.
  case flankedShare
}

package struct MeasuredRecord: Sendable {
  /// The finding. Until a model has judged it, its confidence is the mean probability of its letters.
  package var finding: SpineFinding
  package var features: [RecordFeature: Double]
  /// Its words in reading order, with the features that decided their roles.
  package var words: [MeasuredWord] = []
  /// The colour of each line's letters: L*, a*, b*.
  package var inks: [[Double]] = []
}
