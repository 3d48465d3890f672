import Bibliography

/// Judges the holdings that no spine shows, by the spines at the places where these holdings belong.
struct ShelfGaps {
  private(set) var verdicts: [Int: HoldingVerdict] = [:]

  /// A gap between two neighbouring spines, or two holdings; the holdings that belong there share a verdict.
  private struct Gap: Hashable {
    var after: Int
    var before: Int
  }

  private let spines: [ShelfSpine]
  private let line: ShelfStanding
  private let found: [SpineVerdict]
  private let assignment: Assignment
  /// The missing holdings that the spines between two holdings could equally well be, with the number of these spines.
  private var alike: [Gap: (holdings: [Int], spines: Int)] = [:]

  init(
    _ spines: [ShelfSpine], _ list: [Holding], _ line: ShelfStanding, _ found: [SpineVerdict],
    _ places: [Int?],
    _ assignment: Assignment
  ) {
    (self.spines, self.line, self.found, self.assignment) = (spines, line, found, assignment)
    var gaps: [Gap: [Int]] = [:]
    for (holding, place) in places.enumerated() {
      guard let place, line.standing[holding] == nil, line.astray[holding] == nil else { continue }
      // Books with equal marks may stand in any order, so the gap spans all of them.
      let (after, before) = (line.index { $0 >= place } - 1, line.index { $0 > place })
      if after >= 0, before < line.kept.count {
        gaps[Gap(after: after, before: before), default: []].append(holding)
      }
    }
    for (gap, holdings) in gaps { judge(gap, holdings, list) }
    for (ends, group) in alike {
      let count = group.holdings.count
      for holding in group.holdings {
        verdicts[holding] = .someMissing(
          count: count, of: count + group.spines, after: ends.after, before: ends.before)
      }
    }
  }

  private mutating func judge(_ gap: Gap, _ holdings: [Int], _ list: [Holding]) {
    let (after, before) = (line.kept[gap.after].holding, line.kept[gap.before].holding)
    guard let between = span(after, before) else { return }
    let unread = between.filter { found[$0] == .notRead }
    let possible = holdings.map { holding in unread.filter { Self.maybe(spines[$0], list[holding]) } }
    let open = zip(holdings, possible).filter { !$0.1.isEmpty }
    let room = Set(open.flatMap(\.1)).count
    // The spines in the gap and at its two ends.
    let around = between.lowerBound - 1...between.upperBound
    for (holding, spines) in zip(holdings, possible) {
      verdicts[holding] =
        if around.contains(where: { isShown(holding, $0) }) {
          .notRead(after: after, before: before)
        } else if spines.isEmpty { missing(holding, gap) } else if open.count > room {
          .someMissing(count: open.count - room, of: open.count, after: after, before: before)
        } else { .notRead(after: after, before: before) }
    }
  }

  /// Whether the spine of another holding shows this holding too, because two books were read as one.
  private func isShown(_ holding: Int, _ spine: Int) -> Bool {
    guard let own = assignment.holdings[spine] else { return false }
    let pairs = assignment.pairs
    return pairs.measure.shows(pairs.spines[spine], pairs.holdings[holding], beside: pairs.holdings[own])
  }

  /// The verdict on a missing holding. If other volumes beside it have no readable number, it is unknown which of the volumes is missing.
  private mutating func missing(_ holding: Int, _ gap: Gap) -> HoldingVerdict {
    var (first, last) = (gap.after, gap.before)
    while first > 0, isAlike(first, holding) { first -= 1 }
    while last < line.kept.count - 1, isAlike(last, holding) { last += 1 }
    let (after, before) = (line.kept[first].holding, line.kept[last].holding)
    let count = (gap.after - first) + (last - gap.before)
    if count == 0 { return .missing(after: after, before: before) }
    alike[Gap(after: after, before: before), default: ([], count)].holdings.append(holding)
    return .someMissing(count: 1, of: count + 1, after: after, before: before)
  }

  /// Whether a spine that is in its place could equally well be `holding`.
  private func isAlike(_ kept: Int, _ holding: Int) -> Bool {
    let spine = line.kept[kept].spine
    let (pairs, own) = (assignment.pairs, assignment.likeness[spine])
    return pairs.measure.inPlace(pairs.spines[spine], pairs.holdings[holding]) >= own - 0.01
  }

  /// The range of spines between two holdings, if one row shows both holdings. Nil if no row does.
  private func span(_ after: Int, _ before: Int) -> Range<Int>? {
    for first in line.showing[after] ?? [] {
      for last in line.showing[before] ?? [] where first < last && spines[first].row == spines[last].row {
        let range = first + 1..<last
        // Rows with the same number that are not consecutive are separate rows.
        if range.allSatisfy({ spines[$0].row == spines[first].row }) { return range }
      }
    }
    return nil
  }

  /// Whether a poorly read spine may be the holding: the readable text of the spine does not contradict it.
  private static func maybe(_ spine: ShelfSpine, _ holding: Holding) -> Bool {
    let text = ReadSpine(spine)
    guard text.letterCount >= 6 else { return true }
    let own = HoldingText(holding)
    return text.words.contains { word in
      word.count >= 3
        && (own.title + own.author).contains { other in
          other.count >= 3
            && EditDistance.between(word.letters, other.letters, limit: max(word.count, other.count) / 2)
              <= max(word.count, other.count) / 2
        }
    }
  }
}
