import BookScan
import Capture
import Corpora
import Imagery
import Replay
import System
import Testing

@testable import ScanStation

enum SimulatedSourceOf {
  static func size(_ size: PixelSize) -> SimulatedSource { SimulatedSource(size: size) }
}

@Suite struct ShutterTests {
  /// Returns a scene of stripes, shifted by `offset` pixels.
  private func view(_ offset: Double, seed: UInt64 = 1) throws -> PixelBuffer {
    let size = PixelSize(width: 256, height: 144)
    let image = try PixelBufferPool().makeBuffer(ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
    let plane = image.planes[0]
    for y in 0..<size.height {
      let row = plane.base.advanced(by: y * plane.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for x in 0..<size.width {
        let stripe = UInt64(bitPattern: Int64(((Double(x) + offset) / 9).rounded(.down))) &* seed
        row[x] = UInt8(truncatingIfNeeded: 40 + (stripe &* 0x9E37_79B9_7F4A_7C15 >> 57) + UInt64(y / 4))
      }
    }
    return image
  }

  private func presses(_ views: [(offset: Double, seed: UInt64)]) throws -> [Int] {
    var shutter = AutomaticShutter()
    var pressed: [Int] = []
    for (index, place) in views.enumerated() {
      let time = MonotonicTime(nanoseconds: Int64(index) * 33_333_333)
      guard shutter.note(try view(place.offset, seed: place.seed), at: time) else { continue }
      shutter.notePress()
      pressed.append(index)
    }
    return pressed
  }

  @Test func motionIsMeasured() throws {
    let (before, after) = (try #require(ViewProfile(view(0))), try #require(ViewProfile(view(18))))
    let motion = ViewMotion(from: before, to: after)
    #expect(abs(motion.x + 18.0 / 256) < 0.002 && motion.y == 0 && motion.residual < 1)
    let other = try #require(ViewProfile(view(0, seed: 77)))
    #expect(ViewMotion(from: before, to: other).residual > 5)
  }

  @Test func aStillPictureIsTakenOnce() throws {
    #expect(try presses(Array(repeating: (0, 1), count: 60)) == [4])
  }

  @Test func aPanIsTakenEachThirdOfAView() throws {
    let pan = (0..<300).map { (offset: Double($0) * 2, seed: UInt64(1)) }
    let taken = try presses(pan)
    let gaps = zip(taken, taken.dropFirst()).map { $1 - $0 }
    // A photo for each third of the 256 pixels, at 2 pixels per picture.
    #expect(gaps.count >= 5 && gaps.allSatisfy { (42...45).contains($0) }, "\(gaps)")
  }

  @Test func nothingIsTakenInAHurry() throws {
    #expect(try presses((0..<100).map { (offset: Double($0) * 8, seed: 1) }).isEmpty)
  }

  @Test func somethingElseIsTakenWhenItIsSteady() throws {
    let change =
      Array(repeating: (offset: 0.0, seed: UInt64(1)), count: 20) + Array(repeating: (0, 77), count: 20)
    let taken = try presses(change)
    #expect(taken.count == 2 && (21...27).contains(taken[1]), "\(taken)")
  }

  /// Each spine of the bundled pan is complete in at least one of the photos.
  @Test(.enabled(if: (try? Bundled.corpus("shelf-pan")) != nil)) func thePanIsCovered() throws {
    let corpus = try Bundled.corpus("shelf-pan")
    let truth = try TruthReader(corpus)
    var shutter = AutomaticShutter()
    var (photos, whole): ([String], Set<Int>) = ([], [])
    for index in 0..<300 {
      let name = String(repeating: "0", count: 6 - "\(index + 1)".count) + "\(index + 1)"
      let luma = try corpus.luma("frames/\(name).jpg")
      guard shutter.note(luma, at: MonotonicTime(nanoseconds: Int64(index) * 33_333_333)) else { continue }
      shutter.notePress()
      photos.append("frames/\(name).jpg")
      whole.formUnion(truth.read("frames/\(name).jpg").filter(\.isWhole).map(\.index))
    }
    #expect(whole.count == 45 && (4...9).contains(photos.count), "\(whole.count) in \(photos)")
  }

  @Test func hashesOfOnePictureAreNearAndOfOthersFar() throws {
    let (one, other) = (try view(0), try view(0, seed: 77))
    let hash = try #require(PerceptualHash(one))
    #expect(hash.distance(to: try #require(PerceptualHash(one))) == 0)
    #expect(hash.distance(to: try #require(PerceptualHash(other))) > 16)
    #expect(PerceptualHash(one, in: .init(x: 250, y: 0, width: 100, height: 100)) == nil)
    #expect(PerceptualHash(one, in: .init(x: .nan, y: 0, width: 9, height: 9)) == nil)
  }
}
