import Glibc

/// A conditional random field along the words of a spine, which predicts each word's role (Lafferty, McCallum and Pereira, ICML
/// 2001).
struct PartModel: Sendable {
  typealias Weights = [Double]

  /// For each feature of a word, the weight for each role.
  var words: [String: Weights]
  /// For each feature of a step, the weight for each pair of roles. The index of a pair is role before × number of roles + role
  /// after.
  var steps: [String: Weights]

  /// One assignment of roles to all words of a spine.
  struct Labelling {
    var roles: [SpinePart.Role]
    /// The probability of this labelling among those that were examined, 0…1.
    var probability: Double
  }

  /// The most probable labellings, best first, and for each word the probability of each role.
  struct Reading {
    var labellings: [Labelling]
    var marginals: [Weights]
  }

  /// The number of labellings that are examined.
  static let most = 20

  private static let roles = SpinePart.Role.allCases
  private static let count = roles.count

  func reading(_ measures: PartMeasures) -> Reading {
    let scores = zip(measures.features, measures.isMark).map { features, isMark in
      isMark ? Self.roles.map { $0 == .other ? 0 : -100 } : sum(features, words, Self.count)
    }
    let moves = measures.steps.map { sum($0, steps, Self.count * Self.count) }
    guard !scores.isEmpty else { return Reading(labellings: [], marginals: []) }
    let best = likeliest(scores, moves)
    let total = Self.logSum(best.map(\.score))
    return Reading(
      labellings: best.map {
        Labelling(roles: $0.roles.map { Self.roles[$0] }, probability: exp($0.score - total))
      }, marginals: marginals(scores, moves))
  }

  private func sum(_ features: [String: Double], _ table: [String: Weights], _ count: Int) -> Weights {
    var result = Weights(repeating: 0, count: count)
    for (name, value) in features where value != 0 {
      guard let weights = table[name] else { continue }
      for index in 0..<count { result[index] += value * weights[index] }
    }
    return result
  }

  /// The last step of one of the best paths to a role of a word. `before` is the role of the preceding word, and `place` is the
  /// rank of the continued path among the best paths to that role.
  private struct Step {
    var score: Double
    var before: Int
    var place: Int
  }

  /// Viterbi's algorithm (IEEE Transactions on Information Theory 13(2), 1967), which keeps several best paths to each role
  /// instead of one.
  private func likeliest(_ scores: [Weights], _ moves: [Weights]) -> [(roles: [Int], score: Double)] {
    var steps = [scores[0].map { [Step(score: $0, before: 0, place: 0)] }]
    for word in scores.indices.dropFirst() {
      let before = steps[word - 1]
      steps.append(
        (0..<Self.count).map { role in
          Self.best(before) { moves[word][$0 * Self.count + role] + scores[word][role] }
        })
    }
    return Self.best(steps[scores.count - 1]) { _ in 0 }.map { end in
      var (roles, step) = ([Int](repeating: 0, count: scores.count), end)
      for word in scores.indices.reversed() {
        roles[word] = step.before
        step = steps[word][step.before][step.place]
      }
      return (roles, end.score)
    }
  }

  /// Returns the best `most` continuations of paths. For each role, `ways` holds the paths to it, best first; `gain` is added to
  /// the score of all paths to a role.
  private static func best(_ ways: [[Step]], adding gain: (Int) -> Double) -> [Step] {
    let gains = ways.indices.map(gain)
    var (places, best) = ([Int](repeating: 0, count: ways.count), [Step]())
    while best.count < most {
      var next: Step?
      for role in ways.indices where places[role] < ways[role].count {
        let score = ways[role][places[role]].score + gains[role]
        if score > next?.score ?? -.infinity { next = Step(score: score, before: role, place: places[role]) }
      }
      guard let next else { break }
      places[next.before] += 1
      best.append(next)
    }
    return best
  }

  /// The forward–backward algorithm (Rabiner, Proceedings of the IEEE 77(2), 1989), in logarithms.
  private func marginals(_ scores: [Weights], _ moves: [Weights]) -> [Weights] {
    var forward = scores
    for word in scores.indices.dropFirst() {
      for role in 0..<Self.count {
        forward[word][role] += Self.logSum(
          (0..<Self.count).map { forward[word - 1][$0] + moves[word][$0 * Self.count + role] })
      }
    }
    var backward = scores.map { _ in Weights(repeating: 0, count: Self.count) }
    for word in scores.indices.dropLast().reversed() {
      for role in 0..<Self.count {
        backward[word][role] = Self.logSum(
          (0..<Self.count).map {
            moves[word + 1][role * Self.count + $0] + scores[word + 1][$0] + backward[word + 1][$0]
          })
      }
    }
    let total = Self.logSum(forward[scores.count - 1])
    return scores.indices.map { word in
      (0..<Self.count).map { exp(min(0, forward[word][$0] + backward[word][$0] - total)) }
    }
  }

  static func logSum(_ values: Weights) -> Double {
    let most = values.max() ?? 0
    return most + log(values.reduce(0) { $0 + exp($1 - most) })
  }
}
