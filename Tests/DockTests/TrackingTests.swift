import Imagery
import Testing

@testable import Dock

/// A field of noise with blocks in front of it, for tests of trackers.
struct DrawnField {
  static let (width, height) = (320, 180)

  struct Block {
    var x: Double
    var y: Double
    var side = 40.0
    var seed = 1
  }

  private static func hash(_ a: Int, _ b: Int, _ seed: Int) -> Int {
    var state = UInt64(truncatingIfNeeded: a &* 73_856_093 ^ b &* 19_349_663 ^ seed &* 83_492_791)
    state = (state ^ (state >> 13)) &* 0x9E37_79B9_7F4A_7C15
    return Int((state >> 33) & 0xFF)
  }

  /// Returns a picture of the field.
  /// - Parameter offset: the shift of the field to the left, in pixels.
  static func picture(_ blocks: [Block], offset: Int = 0) -> LumaPicture {
    var codes = [UInt8](repeating: 0, count: width * height)
    for y in 0..<height {
      for x in 0..<width { codes[y * width + x] = UInt8(80 + hash((x + offset) / 12, y / 12, 9) / 6) }
    }
    for block in blocks {
      let (left, top) = (block.x - block.side / 2, block.y - block.side / 2)
      for y in max(0, Int(top))..<min(height, Int(top + block.side)) {
        for x in max(0, Int(left))..<min(width, Int(left + block.side)) {
          let (u, v) = (Int((Double(x) - left) / block.side * 6), Int((Double(y) - top) / block.side * 6))
          codes[y * width + x] = hash(u, v, block.seed) > 127 ? 230 : 20
        }
      }
    }
    return LumaPicture(width: width, height: height, codes: codes)
  }

  static func rect(_ block: Block) -> DockRect {
    DockRect(
      center: DockPoint(x: block.x / Double(width), y: block.y / Double(height)),
      width: block.side / Double(width),
      height: block.side / Double(height))
  }
}

@Suite struct TrackingTests {
  private var configuration: TrackingConfiguration {
    var configuration = TrackingConfiguration()
    (configuration.window, configuration.longSide) = (64, 320)
    return configuration
  }

  private func look(_ frame: Int, selected: Int? = 1, region: DockRect = .whole, proposes: Bool = false)
    -> SubjectTracker.Look
  {
    SubjectTracker.Look(
      time: Double(frame) / 30, shift: DockPoint(x: 0, y: 0), region: region, proposes: proposes,
      selected: selected)
  }

  private func error(_ tracker: SubjectTracker, _ block: DrawnField.Block) -> Double {
    guard let center = tracker.subjects.first(where: { $0.id == 1 })?.rect.center else { return .infinity }
    let (dx, dy) = (
      center.x * Double(DrawnField.width) - block.x, center.y * Double(DrawnField.height) - block.y
    )
    return (dx * dx + dy * dy).squareRoot()
  }

  @Test func aSubjectThatMovesIsFollowedWithinTwoPixels() {
    let tracker = SubjectTracker(configuration)
    var block = DrawnField.Block(x: 100, y: 90)
    _ = tracker.observe(DrawnField.picture([block]), look(0), requests: [.choose(DrawnField.rect(block))])
    for frame in 1...25 {
      block.x += 4
      block.y += 1
      _ = tracker.observe(DrawnField.picture([block]), look(frame))
      #expect(error(tracker, block) < 2, "frame \(frame)")
    }
    #expect(tracker.subjects.first.map { $0.confidence > 0.3 } == true)
  }

  @Test func aSubjectThatGrowsIsFollowedInItsSize() {
    let tracker = SubjectTracker(configuration)
    var block = DrawnField.Block(x: 160, y: 90)
    _ = tracker.observe(DrawnField.picture([block]), look(0), requests: [.choose(DrawnField.rect(block))])
    for frame in 1...40 {
      block.side += 0.5
      _ = tracker.observe(DrawnField.picture([block]), look(frame))
    }
    let width = (tracker.subjects.first?.rect.width ?? 0) * Double(DrawnField.width)
    #expect(abs(width - 60) < 9, "\(width)")
  }

  @Test func aSubjectThatWasHiddenIsFoundElsewhereWithItsNumber() {
    let tracker = SubjectTracker(configuration)
    var block = DrawnField.Block(x: 80, y: 60)
    let other = DrawnField.Block(x: 160, y: 140, side: 30, seed: 5)
    _ = tracker.observe(
      DrawnField.picture([other, block]), look(0), requests: [.choose(DrawnField.rect(block))])
    for frame in 1...5 { _ = tracker.observe(DrawnField.picture([other, block]), look(frame)) }
    for frame in 6...15 { _ = tracker.observe(DrawnField.picture([other]), look(frame)) }
    #expect(tracker.subjects.first.map { $0.confidence == 0 && $0.id == 1 } == true, "\(tracker.subjects)")
    (block.x, block.y) = (250, 110)
    for frame in 16...24 { _ = tracker.observe(DrawnField.picture([other, block]), look(frame)) }
    #expect(error(tracker, block) < 3, "\(tracker.subjects)")
  }

  @Test func aSearchIsLimitedToItsRegion() {
    let tracker = SubjectTracker(configuration)
    var block = DrawnField.Block(x: 80, y: 60)
    _ = tracker.observe(DrawnField.picture([block]), look(0), requests: [.choose(DrawnField.rect(block))])
    for frame in 1...8 { _ = tracker.observe(DrawnField.picture([]), look(frame)) }
    block.x = 250
    let left = DockRect(x: 0, y: 0, width: 0.5, height: 1)
    for frame in 9...15 { _ = tracker.observe(DrawnField.picture([block]), look(frame, region: left)) }
    #expect(tracker.subjects.first?.confidence == 0)
    for frame in 16...22 { _ = tracker.observe(DrawnField.picture([block]), look(frame)) }
    #expect(error(tracker, block) < 3)
  }

  @Test func whatIsOfferedIsTrackedWhileThereIsRoomAndOnce() {
    var configuration = configuration
    configuration.mostSubjects = 2
    let tracker = SubjectTracker(configuration)
    let blocks = [60.0, 160, 260].map { DrawnField.Block(x: $0, y: 90, seed: Int($0)) }
    let rects = blocks.map(DrawnField.rect)
    let spoiled = DockRect(x: .nan, y: 0, width: 1, height: 1)
    let picture = DrawnField.picture(blocks)
    _ = tracker.observe(picture, look(0, selected: nil), requests: [.offer([spoiled, rects[0], rects[0]])])
    #expect(tracker.subjects.count == 1)
    _ = tracker.observe(picture, look(1, selected: nil), requests: [.offer(rects)])
    #expect(tracker.subjects.map(\.id).sorted() == [1, 2])
  }

  @Test func whatIsSalientIsProposed() {
    let tracker = SubjectTracker(configuration)
    let block = DrawnField.Block(x: 220, y: 70)
    _ = tracker.observe(DrawnField.picture([block]), look(0, selected: nil, proposes: true))
    let overlaps = tracker.subjects.map { $0.rect.overlap(DrawnField.rect(block)) }
    #expect((overlaps.first ?? 0) > 0.1, "\(tracker.subjects)")
  }
}
