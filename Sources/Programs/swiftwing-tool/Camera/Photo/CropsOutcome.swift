import BookScan
import Foundation
import Imagery
import System

/// The files of `photo --legible --crops` and the reason for the choice, as printed.
struct CropsOutcome: Encodable {
  /// A written file.
  struct Part: Encodable {
    var out: String
    /// The size of the photo, pixels.
    var width: Int
    var height: Int
    var bytes: Int
    var tokens: Int
    /// The box in the upright picture at full size, pixels; nil for the whole picture.
    var box: Box?
    /// The number of words that the box contains, as read at full size.
    var words: Int
    var kept: Int
  }

  /// One of the two compared alternatives.
  struct Side: Encodable {
    var photos: Int
    var tokens: Int
    var kept: Int
    var share: Double
    /// The tokens per kept word; nil if no word is kept.
    var tokensPerWord: Double?
    var isKept: Bool

    init(photos: Int, tokens: Int, kept: Int, share: Double, isKept: Bool) {
      self.photos = photos
      self.tokens = tokens
      self.kept = kept
      self.isKept = isKept
      self.share = LegibleOutcome.rounded(share)
      tokensPerWord = kept == 0 ? nil : (Double(tokens) / Double(kept) * 100).rounded() / 100
    }

    var text: String {
      let files = photos == 1 ? "1 photo" : "\(photos) photos"
      let cost = tokensPerWord.map { ", \(String(format: "%.1f", $0)) a word" } ?? ""
      return "\(files), \(tokens) tokens, \(LegibleOutcome.percent(share)) % of the words\(cost)"
    }
  }

  var photos: [Part]
  /// Whether the photos are crops.
  var areCrops: Bool
  var profile: String
  var maxTokens: Int?
  /// The share of the words that the user asked to keep legible, 0…1.
  var goal: Double
  var words: Int
  var whole: Side
  /// The crops; nil if the picture could not be divided.
  var crops: Side?
  var readings: Int
  var milliseconds: Double
  var notes: [String]

  init(_ result: CropLegibility, _ goal: LegibilityGoal, photos: [Part], time: Duration, notes: [String]) {
    self.photos = photos
    areCrops = result.areChosen
    words = result.whole.words
    readings = result.readings
    profile = goal.profile.id
    maxTokens = goal.maxTokens
    self.goal = LegibleOutcome.rounded(goal.share)
    let chosen = result.whole.chosen
    whole = Side(
      photos: 1, tokens: chosen.tokens, kept: chosen.kept, share: chosen.share, isKept: result.whole.isKept)
    crops =
      result.crops.isEmpty
      ? nil
      : Side(
        photos: result.crops.count, tokens: result.tokens, kept: result.kept, share: result.share,
        isKept: result.isKept)
    milliseconds = time.milliseconds.rounded()
    self.notes = notes
  }

  /// The outcome as lines for a person.
  var text: [String] {
    let files = photos.map { part in
      "\(part.out): \(part.width)×\(part.height), \(part.bytes / 1000) kB, \(part.tokens) tokens by \(profile), \(part.kept) of \(part.words) words"
    }
    let time = String(format: "%.1f", milliseconds / 1000)
    return files + [
      "as crops: \(crops?.text ?? "the picture cannot be divided")", "as a whole: \(whole.text)",
      "\(readings) readings, \(time) s",
    ]
  }

  /// A warning for the user; nil if the requested share of words is kept.
  var warning: String? {
    guard !(areCrops ? crops?.isKept ?? false : whole.isKept) else { return nil }
    let budget = maxTokens.map { "within \($0) tokens" } ?? "up to 1920 pixels"
    return
      "neither crops nor the whole \(budget) keep \(LegibleOutcome.percent(goal)) %; this keeps more of the words"
  }
}
