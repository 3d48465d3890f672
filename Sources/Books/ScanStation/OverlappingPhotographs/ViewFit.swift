import BookScan
import Imagery

/// The scale and shift that map a photo to the earlier photos of the same place.
struct ViewFit {
  var scale: Double
  var x: Double
  var y: Double
  /// The number of spines that it maps to their earlier places.
  var support: Int

  /// A spine of the photo and an earlier one that read the same.
  struct Anchor {
    var sighting: Int
    var entry: Int
    var from: Box
    var to: Box
    var looksAlike: Bool
  }

  /// The maximum number of anchors that are tried, so that a shelf full of one title does not take forever.
  private static let anchorLimit = 80

  func applied(to box: Box) -> Box {
    Box(x: box.x * scale + x, y: box.y * scale + y, width: box.width * scale, height: box.height * scale)
  }

  /// The fit that most anchors agree with. Each anchor alone gives a shift, and each pair a shift and a scale (consensus as in M. Fischler and R.
  /// Bolles, "Random Sample Consensus", CACM 24(6), 1981, with all samples in place of random ones).
  /// - Returns: nil unless two spines agree with the fit, or one whose look agrees too.
  static func best(of anchors: [Anchor], size: PixelSize) -> ViewFit? {
    let anchors = Array(anchors.prefix(anchorLimit))
    var best: ViewFit?
    func consider(_ fit: ViewFit) {
      var fit = fit
      fit.support = fit.agreeing(anchors, size)
      if fit.support > best?.support ?? 0 { best = fit }
    }
    for (index, anchor) in anchors.enumerated() {
      consider(ViewFit(anchor, scale: 1))
      for other in anchors.dropFirst(index + 1)
      where other.sighting != anchor.sighting && other.entry != anchor.entry {
        if let scale = scale(anchor, other, size: size) { consider(ViewFit(anchor, scale: scale)) }
      }
    }
    guard let best else { return nil }
    let refined = best.refined(by: anchors, size)
    guard best.support == 1 else { return refined }
    return anchors.contains { $0.looksAlike && best.agrees($0, size) } ? best : nil
  }

  private init(_ anchor: Anchor, scale: Double) {
    self.scale = scale
    x = anchor.to.middle.x - anchor.from.middle.x * scale
    y = anchor.to.middle.y - anchor.from.middle.y * scale
    support = 0
  }

  /// The scale given by two anchors. Nil if they are too close to each other, or if the scale is outside 0.5 to 2.
  private static func scale(_ one: Anchor, _ other: Anchor, size: PixelSize) -> Double? {
    let before = one.from.middle.distance(to: other.from.middle)
    let after = one.to.middle.distance(to: other.to.middle)
    guard before > 0.1 * Double(size.longSide) else { return nil }
    let scale = after / before
    return (0.5...2).contains(scale) ? scale : nil
  }

  /// The number of spines that agree. Each spine counts once, in the photo and in the memory.
  private func agreeing(_ anchors: [Anchor], _ size: PixelSize) -> Int {
    let good = anchors.filter { agrees($0, size) }
    return min(Set(good.map(\.sighting)).count, Set(good.map(\.entry)).count)
  }

  /// Whether the distance is less than a fraction of the thinner side of the spine's text.
  private func agrees(_ anchor: Anchor, _ size: PixelSize) -> Bool {
    let placed = applied(to: anchor.from)
    let thin = min(min(placed.width, placed.height), min(anchor.to.width, anchor.to.height))
    return placed.middle.distance(to: anchor.to.middle) <= 0.6 * thin + 0.005 * Double(size.longSide)
  }

  /// The fit with the same scale, shifted to the mean of all anchors that agree.
  private func refined(by anchors: [Anchor], _ size: PixelSize) -> ViewFit {
    let good = anchors.filter { agrees($0, size) }
    guard !good.isEmpty else { return self }
    var fit = self
    let count = Double(good.count)
    fit.x = good.reduce(0) { $0 + $1.to.middle.x - $1.from.middle.x * scale } / count
    fit.y = good.reduce(0) { $0 + $1.to.middle.y - $1.from.middle.y * scale } / count
    return fit
  }
}

extension Box {
  var middle: Point { Point(x: x + width / 2, y: y + height / 2) }

  private func common(_ other: Box) -> Double {
    let across = min(x + width, other.x + other.width) - max(x, other.x)
    let down = min(y + height, other.y + other.height) - max(y, other.y)
    return max(0, across) * max(0, down)
  }

  /// The overlap as a share of the smaller box, 0…1.
  func shareOfSmaller(_ other: Box) -> Double {
    let smaller = min(width * height, other.width * other.height)
    return smaller > 0 ? common(other) / smaller : 0
  }

  /// The overlap as a share of the larger box, 0…1.
  func shareOfLarger(_ other: Box) -> Double {
    let larger = max(width * height, other.width * other.height)
    return larger > 0 ? common(other) / larger : 0
  }

  /// The extent across text that runs at `angle`, in degrees clockwise.
  func thickness(_ angle: Double) -> Double {
    let turn = angle.truncatingRemainder(dividingBy: 180)
    return (45..<135).contains(turn) ? width : height
  }

  func intersectionOverUnion(_ other: Box) -> Double {
    let both = common(other)
    let all = width * height + other.width * other.height - both
    return all > 0 ? both / all : 0
  }
}

extension Point {
  func distance(to other: Point) -> Double {
    let (across, down) = (x - other.x, y - other.y)
    return (across * across + down * down).squareRoot()
  }
}

extension SpineFinding {
  /// Whether its text ends at the photo's edge: within a hundredth of a side, at least 4 pixels.
  func isCut(by size: PixelSize) -> Bool {
    let (across, down) = (max(4, Double(size.width) / 100), max(4, Double(size.height) / 100))
    return box.x < across || box.y < down || box.x + box.width > Double(size.width) - across
      || box.y + box.height > Double(size.height) - down
  }
}
