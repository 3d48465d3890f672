package import Foundation
import GRDB
import Harness

/// The selection of runs that are removed from a history.
package struct Pruning: Sendable {
  /// The runs that are kept.
  package enum Rule: Sendable, Equatable {
    /// This many newest runs of each setting.
    case newest(Int)
    /// The runs that began at or after this time.
    case since(Date)
  }

  package struct Outcome: Sendable, Equatable {
    package var removed: Int
    /// Number of older runs that are kept because a change point depends on them.
    package var spared: Int
  }

  /// The number of runs that are kept at first on either side of a change point. It is doubled until the change is found again.
  static let least = 10

  /// The runs that are kept.
  package var rule: Rule
  /// Whether runs that a change point depends on are removed too.
  package var takesChangePoints: Bool

  /// - Parameter takesChangePoints: false, the default, keeps the runs that are needed to find a change point again.
  package init(_ rule: Rule, takesChangePoints: Bool = false) {
    self.rule = rule
    self.takesChangePoints = takesChangePoints
  }
}

extension History {
  /// Removes runs, all in one commit, and frees their space.
  package func prune(_ pruning: Pruning) throws(HistoryError) -> Pruning.Outcome {
    let outcome = try write("prune the history") { database in
      let histories = try RunHistory.all(in: database, last: .max)
      var outcome = Pruning.Outcome(removed: 0, spared: 0)
      for history in histories {
        let old = pruning.old(history)
        let spared = pruning.takesChangePoints ? [] : pruning.spared(history, of: old)
        for run in old.subtracting(spared) {
          try database.execute(sql: "DELETE FROM run WHERE id = ?", arguments: [history.runs[run].id])
        }
        outcome.removed += old.count - spared.count
        outcome.spared += spared.count
      }
      try database.execute(
        sql: """
          DELETE FROM setting WHERE id NOT IN (SELECT setting FROM run);
          DELETE FROM metric WHERE id NOT IN (SELECT metric FROM figure);
          """)
      return outcome
    }
    do { try database.vacuum() } catch { throw .database("prune the history \(path)", error, path: path) }
    return outcome
  }
}

extension Pruning {
  /// Returns the indices of runs that the rule does not keep.
  fileprivate func old(_ history: RunHistory) -> Set<Int> {
    switch rule {
    case .newest(let count): return Set(0..<max(0, history.runs.count - max(0, count)))
    case .since(let moment):
      let least = moment.timeIntervalSince1970 * 1000
      return Set(history.runs.indices.filter { Double(history.runs[$0].started) < least })
    }
  }

  /// Returns the old runs that are needed to find every change point again: the neighbours of the change points, as many as are needed.
  fileprivate func spared(_ history: RunHistory, of old: Set<Int>) -> Set<Int> {
    let reading = TrendReading()
    let changes = reading.changes(history)
    guard !changes.isEmpty else { return [] }
    var reach = Self.least
    while true {
      let near = old.filter { run in changes.contains { $0.run - reach <= run && run < $0.run + reach } }
      let lost = reading.changes(history.without(old.subtracting(near)))
      if reach >= history.runs.count || Set(lost.map(\.key)).isSuperset(of: changes.map(\.key)) {
        return near
      }
      reach *= 2
    }
  }
}

extension TrendReading {
  fileprivate struct Change {
    var run: Int
    /// The figure that changed, and the run at which it did.
    var key: String
  }

  fileprivate func changes(_ history: RunHistory) -> [Change] {
    read([history]).settings.flatMap(\.series).flatMap { series in
      series.changes.map { change in
        let id = history.runs[change.run].id
        return Change(
          run: change.run, key: "\(series.scenario) \(series.metric) \(series.statistic.rawValue) \(id)")
      }
    }
  }
}

extension RunHistory {
  fileprivate func without(_ removed: Set<Int>) -> RunHistory {
    let kept = runs.indices.filter { !removed.contains($0) }
    let places = Dictionary(uniqueKeysWithValues: kept.enumerated().map { ($1, $0) })
    var history = self
    history.runs = kept.map { runs[$0] }
    history.figures = figures.compactMapValues { figures in
      let left = figures.compactMap { figure in
        places[figure.run].map { place in
          var figure = figure
          figure.run = place
          return figure
        }
      }
      return left.isEmpty ? nil : left
    }
    return history
  }
}
