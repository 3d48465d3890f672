import Imagery

/// Divides a picture without cutting through a word: along the empty stripes between rows of a shelf, piles and pictures.
///
/// The method is the recursive X-Y cut (Nagy and Seth 1984): the widest vertical or horizontal stripe without a word divides a
/// part in two, until no stripe is wide enough.
struct CropPlan {
  /// The parts, each as the indices of the words in it.
  private(set) var parts: [[Int]]
  private let boxes: [Box]
  private let size: PixelSize
  /// The median height of the words, pixels.
  private let height: Double

  /// The greatest number of parts. Each part costs readings, and each request to a model has a price of its own.
  static let limit = 6

  /// Divides a picture.
  /// - Parameters:
  ///   - regions: the regions of the words.
  ///   - size: the size of the picture, pixels.
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

  /// Divides a part in two at the widest free stripe near its middle. If no stripe is free of words, divides it where words
  /// overlap least; the halves then overlap too, so that no word is cut. Nil if there are too few words.
  func halves(_ part: [Int]) -> [[Int]]? {
    guard part.count >= Self.leastWords, let cut = widest(part, anywhere: false) else { return nil }
    return [cut.before, cut.after]
  }

  /// Returns the box of a part, in pixels of the picture, with a margin as high as a letter.
  func box(_ part: [Int]) -> Box {
    let around = Box.around(part.map { boxes[$0] }) ?? Box(x: 0, y: 0, width: 0, height: 0)
    let margin = max(8, height)
    let (left, top) = (max(0, around.x - margin), max(0, around.y - margin))
    let (right, bottom) = (
      min(Double(size.width), around.maxX + margin), min(Double(size.height), around.maxY + margin)
    )
    return Box(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }

  /// The least number of words in a part that is halved.
  private static let leastWords = 12
  /// The least share of all words that a part on each side of a cut must have; it must also have at least three words. A photo of
  /// one word costs as much as one of fifty.
  private static let leastShare = 0.03

  private struct Cut {
    /// The width of the stripe, pixels. Negative if words overlap.
    var width: Double
    var before: [Int]
    var after: [Int]
  }

  /// Returns the best cut of a part.
  /// - Parameter anywhere: whether the stripe may be near an edge, and may divide the width or the height. If false, the stripe
  ///   divides the longer of the two, near its middle.
  private func widest(_ part: [Int], anywhere: Bool) -> Cut? {
    guard let around = Box.around(part.map { boxes[$0] }) else { return nil }
    let isWide = around.width >= around.height
    let across = cut(part, from: \.x, to: \.maxX, middle: anywhere ? nil : (around.x, around.width))
    let down = cut(part, from: \.y, to: \.maxY, middle: anywhere ? nil : (around.y, around.height))
    guard anywhere else { return isWide ? across : down }
    return [across, down].compactMap { $0 }.max { $0.width < $1.width }
  }

  /// Returns the best cut along one axis.
  /// - Parameter middle: the start and length of a range whose middle half must contain the stripe; nil if the stripe may be
  ///   anywhere.
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
        // Among stripes of nearly the same width, prefer the one nearest to the middle.
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
