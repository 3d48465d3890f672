import Foundation
import System
import Testing

@testable import ScanStation

/// The accuracy of the predicted remaining time, on recorded costs.
@Suite struct RemainingTimeTests {
  /// The bytes of 27 photographs of 0.3 to 16 megapixels, and the milliseconds that PP-OCRv6 took for each, on two cores that other
  /// programs used too.
  private static let recorded = [
    (2_486_912, 7164), (3_331_316, 7284), (3_165_777, 6502), (2_935_853, 6420), (240259, 966),
    (88717, 1009), (3_820_278, 4509), (1_892_665, 3809), (709047, 6308), (581838, 6521),
    (507848, 4283), (652698, 3204), (1_489_612, 4217), (1_030_818, 7971), (999432, 7692),
    (1_097_328, 4568), (1_096_072, 4182), (1_000_978, 2705), (610610, 3511), (491840, 3559),
    (3_033_158, 6427), (3_251_617, 6413), (365854, 4598), (1_197_266, 4086), (1_525_808, 3863),
    (847102, 3895), (3_751_520, 4277),
  ]

  private func weight(_ photos: some Sequence<(Int, Int)>) -> Double {
    photos.reduce(0) { $0 + RemainingTime.weight(bytes: $1.0) }
  }

  private func seconds(_ photos: some Sequence<(Int, Int)>) -> Double {
    photos.reduce(0) { $0 + Double($1.1) / 1000 }
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func afterFiftyPhotosTheEstimateIsWithinAFifth(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let photos = (0..<840).map { _ in Self.recorded.randomElement(using: &chance) ?? (1, 1) }
    try check(photos)
  }

  /// The small photographs come first, as from a folder for each camera.
  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func photosOfAnotherSizeLaterAreForetoldToo(seed: UInt64) throws {
    var chance = SplitMix64(seed: seed)
    let small = Self.recorded.filter { $0.0 < 1_000_000 }
    let large = Self.recorded.filter { $0.0 > 2_000_000 }
    let photos =
      (0..<200).map { _ in small.randomElement(using: &chance) ?? (1, 1) }
      + (0..<200).map { _ in large.randomElement(using: &chance) ?? (1, 1) }
    try check(photos)
  }

  private func check(_ photos: [(Int, Int)]) throws {
    var remaining = RemainingTime()
    for (count, photo) in photos.enumerated() {
      // The first photographs are too few for a prediction, and the last ones depend on chance.
      if count >= 50, count <= photos.count - 50 {
        let estimate = try #require(remaining.seconds(for: weight(photos[count...])))
        let truth = seconds(photos[count...])
        #expect(abs(estimate / truth - 1) <= 0.2, "after \(count): \(estimate) for \(truth)")
      }
      remaining.note(weight: RemainingTime.weight(bytes: photo.0), seconds: Double(photo.1) / 1000)
    }
  }

  @Test func nothingIsForetoldFromNothing() {
    var remaining = RemainingTime()
    #expect(remaining.seconds(for: 100) == nil)
    for _ in 0..<2 { remaining.note(weight: 2, seconds: 1) }
    #expect(remaining.seconds(for: 100) == nil)
    remaining.note(weight: 2, seconds: 1)
    #expect(remaining.seconds(for: 100) == 50 && remaining.seconds(for: 0) == 0)
    remaining.note(weight: .nan, seconds: 1)
    remaining.note(weight: 1, seconds: -.infinity)
    #expect(remaining.seconds(for: 100) == 50)
  }

  /// The prediction adapts to a machine that becomes slower.
  @Test func aMachineThatBecomesSlowerIsFollowed() throws {
    var remaining = RemainingTime()
    for _ in 0..<300 { remaining.note(weight: 1, seconds: 1) }
    for _ in 0..<100 { remaining.note(weight: 1, seconds: 3) }
    #expect(try #require(remaining.seconds(for: 1)) > 2.7)
  }
}

/// The progress that a run reports.
@Suite struct RunPaceTests {
  private let start = 1_800.0

  @Test func whatIsReadOneAfterTheOtherIsTimedOneByOne() {
    var pace = RunPace(count: 5, weight: 10, at: start)
    // The second photograph was prepared while the first was still being read.
    _ = pace.read(weight: 2, since: start, at: start + 4)
    _ = pace.read(weight: 2, since: start + 1, at: start + 8)
    let third = pace.read(weight: 2, since: start + 5, at: start + 12)
    #expect(third.done == 3 && third.total == 5)
    #expect(third.secondsLeft.map { abs($0 - 8) < 1e-9 } == true)
    // A photograph that is already known takes no time, which shortens the remaining time.
    #expect(pace.passed(weight: 2).secondsLeft.map { abs($0 - 4) < 1e-9 } == true)
    #expect(pace.passed(weight: 2) == PhotographProgress(done: 5, total: 5, secondsLeft: 0))
    #expect(pace.passed(weight: 2).done == 5)
  }

  @Test func twoThatAreOneAreCountedOnce() {
    var pace = RunPace(count: 2, weight: 4, at: start)
    pace.unite(weight: 2)
    #expect(pace.passed(weight: 2) == PhotographProgress(done: 1, total: 1, secondsLeft: 0))
  }
}
