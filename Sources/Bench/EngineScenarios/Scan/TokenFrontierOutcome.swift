/// The output of `swiftwing-tool trial frontier`.
struct TokenFrontierOutcome: Decodable {
  struct Profile: Decodable {
    var id: String
    var title: String
  }
  struct Point: Decodable {
    var profile: String
    /// Width of the photo that is sent, in pixels.
    var width: Int
    /// Height of the photo that is sent, in pixels.
    var height: Int
    /// Width of the photo as the model looks at it, in pixels.
    var seenWidth: Int
    /// Height of the photo as the model looks at it, in pixels.
    var seenHeight: Int
    var tokens: Int
    var kept: Int
    var bytes: Int
    /// Processor time for the photo.
    var milliseconds: Double
  }
  /// The size that the engine chose, by the seed's profile.
  struct Choice: Decodable {
    var tokens: Int
    var kept: Int
    var words: Int
    var isKept: Bool
    var readings: Int
  }
  struct Still: Decodable {
    var name: String
    var width: Int
    var height: Int
    var words: Int
    var points: [Point]
    var choice: Choice

    func share(_ point: Point) -> Double { words == 0 ? 1 : Double(point.kept) / Double(words) }

    /// Returns a profile's cheapest point that keeps at least `share` (0…1) of the words. Among points of the same cost, returns the smallest photo.
    func cheapest(_ profile: String, _ share: Double) -> Point? {
      points.filter { $0.profile == profile && self.share($0) >= share - 1e-9 }
        .min { ($0.tokens, $0.width * $0.height) < ($1.tokens, $1.width * $1.height) }
    }
  }
  var recognizer: String
  var profiles: [Profile]
  var stills: [Still]
}
