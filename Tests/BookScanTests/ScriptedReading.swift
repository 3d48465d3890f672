import Imagery
import System

@testable import BookScan

/// A reader that knows the picture's words, and returns those whose letters are high enough in the picture that it is shown.
final class ScriptedReading: Sendable {
  static let full = PixelSize(width: 2400, height: 1800)
  /// The long side of each picture that was shown.
  let shown = Locked<[Int]>([])
  private let heights: [Double]
  private let leastHeight: @Sendable (Int) -> Double
  private let trouble: @Sendable (Int) throws -> Void

  /// Creates a reader.
  /// - Parameters:
  ///   - heights: the heights of the words, in pixels of the picture at full size.
  ///   - leastHeight: returns the least height of legible letters, given the shown picture's long side.
  ///   - trouble: called with the number of each reading; may throw the reading's error.
  init(
    _ heights: [Double], leastHeight: @escaping @Sendable (Int) -> Double = { _ in 10 },
    trouble: @escaping @Sendable (Int) throws -> Void = { _ in }
  ) {
    (self.heights, self.leastHeight, self.trouble) = (heights, leastHeight, trouble)
  }

  /// Returns a word of four letters that no other index gives.
  private static func word(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let (first, second) = (letters[index % 26], letters[index / 26])
    return String([first, first, second, second])
  }

  var reader: LegibilityReader {
    LegibilityReader(name: "scripted") { [self] bytes in
      let size = try ImageFile.read(bytes).image.format.size
      let number = shown.withLock { shown in
        shown.append(size.longSide)
        return shown.count
      }
      try trouble(number)
      let factor = Double(size.longSide) / Double(Self.full.longSide)
      return heights.enumerated().filter { $0.element * factor >= leastHeight(size.longSide) }.map {
        index, height in
        LegibleWordsTests.line(
          Self.word(index), x: 300 * factor, y: (20 + Double(index) * 30) * factor, height: height * factor)
      }
    }
  }

  /// Returns a grey picture.
  static func picture(_ size: PixelSize = full) throws -> PixelBuffer {
    let grey = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .grey, size: size, color: .jpeg))
    // Reused memory may hold shapes that look like letters.
    for plane in grey.planes {
      plane.base.initializeMemory(as: UInt8.self, repeating: 128, count: plane.byteCount)
    }
    return grey
  }
}
