import BookScan
import Foundation
import Imagery
import System

/// The choice of a photo's size, as `photo --legible` prints it.
struct LegibleOutcome: Encodable {
  struct Trial: Encodable {
    var width: Int
    var height: Int
    /// The size at which the model sees the photo.
    var seenWidth: Int
    var seenHeight: Int
    var tokens: Int
    var bytes: Int?
    var kept: Int
    var share: Double

    init(_ trial: Legibility.Trial) {
      width = trial.size.width
      height = trial.size.height
      seenWidth = trial.seen.width
      seenHeight = trial.seen.height
      tokens = trial.tokens
      bytes = trial.bytes
      kept = trial.kept
      share = LegibleOutcome.rounded(trial.share)
    }
  }

  /// The method that decided: `recognition` or `proxy`.
  var judge: String
  /// The name of the recogniser or of the proxy.
  var by: String
  var profile: String
  var maxTokens: Int?
  /// The requested share of the words that the photo must keep, 0…1.
  var goal: Double
  /// Whether the requested share is kept.
  var isKept: Bool
  /// The number of words at full size, or of letters if `judge` is `proxy`.
  var words: Int
  var kept: Int
  var share: Double
  var tokens: Int
  /// The number of pictures that were read.
  var readings: Int
  var milliseconds: Double
  var trials: [Trial]

  init(_ legibility: Legibility, _ goal: LegibilityGoal, time: Duration) {
    judge = legibility.judge.rawValue
    by = legibility.judgeName
    words = legibility.words
    readings = legibility.readings
    profile = goal.profile.id
    maxTokens = goal.maxTokens
    self.goal = Self.rounded(goal.share)
    isKept = legibility.isKept
    kept = legibility.chosen.kept
    tokens = legibility.chosen.tokens
    share = Self.rounded(legibility.chosen.share)
    milliseconds = time.milliseconds.rounded()
    trials = legibility.trials.map { Trial($0) }
  }

  static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }

  /// A line such as `118 of 120 words kept (98.3 %) by …, 4 readings, 9.3 s`.
  var text: String {
    let what = judge == Legibility.Judge.proxy.rawValue ? "letters" : "words"
    let kept = words == 0 ? "no \(what) found" : "\(kept) of \(words) \(what) kept (\(Self.percent(share)) %)"
    let read = readings == 1 ? "1 reading" : "\(readings) readings"
    return "\(kept) by \(by), \(read), \(String(format: "%.1f", milliseconds / 1000)) s"
  }

  /// A warning for the user; nil if the requested share of words is kept.
  var warning: String? {
    guard !isKept else { return nil }
    let budget = maxTokens.map { "within \($0) tokens" } ?? "up to 1920 pixels"
    return "no size \(budget) keeps \(Self.percent(goal)) %; this one keeps most of those tried"
  }

  static func percent(_ share: Double) -> String {
    let tenths = (share * 1000 + 1e-9).rounded(.down) / 10
    return tenths == tenths.rounded() ? "\(Int(tenths))" : String(format: "%.1f", tenths)
  }
}
