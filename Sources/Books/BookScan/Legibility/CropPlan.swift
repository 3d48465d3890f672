import Imagery

/// Where a picture can be cut without cutting through a word: along the empty stripes between rows of a shelf, piles and pictures.
///
/// The method is the recursive X-Y cut (Nagy and Seth 1984): the widest stripe, upright or level, that no word lies in divides a part in two,
/// until no stripe is wide enough.
struct CropPlan {
  /// Parts: numbers of words.
  private(set) var parts: [[Int]]
  private let boxes: [Box]
  private let size: PixelSize
  /// Of a word, pixels: that of the middle one.
  private let height: Double

  /// Most parts: each costs readings, and a request to a model has its own price.
  static let limit = 6

  /// - Parameters:
  ///   - regions: of the words.
  ///   - size: of the picture, pixels.
  init(_ regions: [TextRegion], of size: PixelSize) {
    boxes = regions.map(\.box)
    self.size = size
    height = regions.map(\.height).sorted()[safe: regions.count / 2] ?? 0
    parts = [Array(regions.indices)]
    let least = max(Double(size.shortSide) / 20, 3 * height)
    while parts.count < Self.limit {
      let cuts = parts.enumerated().compactMap { number, part in
        widest(part, anywhere: true).map { (number: number, cut: $0) }
      }
      guard let best = cuts.max(by: { $0.cut.width < $1.cut.width }), best.cut.width >= least else { break }
      parts[best.number...best.number] = [best.cut.before, best.cut.after]
    }
    parts.removeAll(where: \.isEmpty)
  }

  /// A part in two, by the widest stripe about its middle, or where words overlap least: then the halves overlap too, and no word is cut. Nil
  /// where there are too few words.
  func halves(_ part: [Int]) -> [[Int]]? {
    guard part.count >= Self.leastWords, let cut = widest(part, anywhere: false) else { return nil }
    return [cut.before, cut.after]
  }

  /// In pixels of the picture, with a margin as high as a letter.
  func box(_ part: [Int]) -> Box {
    let around = Box.around(part.map { boxes[$0] }) ?? Box(x: 0, y: 0, width: 0, height: 0)
    let margin = max(8, height)
    let (left, top) = (max(0, around.x - margin), max(0, around.y - margin))
    let (right, bottom) = (
      min(Double(size.width), around.maxX + margin), min(Double(size.height), around.maxY + margin)
    )
    return Box(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// A part with fewer words is not halved.
  private static let leastWords = 12
  /// A part that is cut off has at least this share of all words, and three: a photo for one word costs as much as one for fifty.
  private static let leastShare = 0.03

  private struct Cut {
    /// Of the stripe, pixels; below zero where words overlap.
    var width: Double
    var before: [Int]
    var after: [Int]
  }

  /// - Parameter anywhere: also near an edge, and along the shorter side.
  private func widest(_ part: [Int], anywhere: Bool) -> Cut? {
    guard let around = Box.around(part.map { boxes[$0] }) else { return nil }
    let isWide = around.width >= around.height
    let across = cut(part, from: \.x, to: \.maxX, middle: anywhere ? nil : (around.x, around.width))
    let down = cut(part, from: \.y, to: \.maxY, middle: anywhere ? nil : (around.y, around.height))
    guard anywhere else { return isWide ? across : down }
    return [across, down].compactMap { $0 }.max { $0.width < $1.width }
  }

  /// - Parameter middle: start and length of what must have the stripe in its middle half.
  private func cut(
    _ part: [Int], from: (Box) -> Double, to: (Box) -> Double, middle: (start: Double, length: Double)?
  ) -> Cut? {
    let sorted = part.sorted { from(boxes[$0]) < from(boxes[$1]) }
    let least = max(3, Int(Self.leastShare * Double(boxes.count)))
    var (best, reach) = (Cut?.none, -Double.infinity)
    for (place, word) in sorted.enumerated() {
      let start = from(boxes[word])
      defer { reach = max(reach, to(boxes[word])) }
      guard place >= least, sorted.count - place >= least else { continue }
      var width = start - reach
      if let middle {
        let offset = abs((start + reach) / 2 - middle.start - middle.length / 2)
        guard offset <= middle.length / 4 else { continue }
        // Of stripes that are nearly as wide as each other, the one nearest to the middle.
        width -= offset / 10
      } else if width <= 0 {
        continue
      }
      guard width > best?.width ?? -.infinity else { continue }
      best = Cut(width: width, before: Array(sorted[..<place]), after: Array(sorted[place...]))
    }
    return best
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
