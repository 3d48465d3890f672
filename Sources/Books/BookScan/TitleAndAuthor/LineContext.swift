/// Features that compare a spine's lines: whether another line is a person's name, and which line is most like a name.
enum LineContext {
  /// Returns each line's features together with the features that depend on the other lines.
  /// - Parameters:
  ///   - lines: for each line its own features.
  ///   - words: for each line its words.
  /// - Returns: for each line all its features.
  static func together(_ lines: [[String: Double]], words: [[WordMeasure]]) -> [[String: Double]] {
    let names = lines.reduce(0) { $0 + ($1["fullname"] ?? 0) }
    let isBegun = words.map { !$0.isEmpty && $0.allSatisfy { $0.isGiven || $0.isInitial } }
    let isEnd = words.map { $0.count == 1 && $0[0].isNamelike && !$0[0].isPublisher }
    return lines.indices.map { index in
      var line = lines[index]
      let (isFull, isSingle, isLargest) = (line["fullname"] ?? 0, line["name1"] ?? 0, line["big"] ?? 0)
      line["bias"] = 1
      line["othername"] = names > isFull ? 1 : 0
      line["onlyname"] = isFull > 0 && names == 1 ? 1 : 0
      line["bigname"] = isFull * isLargest
      line["bigname1"] = isSingle * isLargest
      line["smallname1"] = isSingle * (1 - isLargest)
      let (before, after) = (index - 1, index + 1)
      line["begun"] = isBegun[index] && isEnd.indices.contains(after) && isEnd[after] ? 1 : 0
      line["ended"] = isEnd[index] && isBegun.indices.contains(before) && isBegun[before] ? 1 : 0
      for (name, place) in [("before", before), ("after", after)] where lines.indices.contains(place) {
        line[name + "name"] = lines[place]["fullname"]
        line[name + "size"] = max(-1, min(1, (lines[place]["hrel"] ?? 0) - (line["hrel"] ?? 0)))
      }
      for (name, key) in [("namest", "nsmean"), ("wordiest", "wordsum")] {
        let others = lines.indices.filter { $0 != index }.compactMap { lines[$0][key] }
        line[name] = others.max().map { (line[key] ?? 0) - $0 } ?? 0
      }
      return line
    }
  }
}
