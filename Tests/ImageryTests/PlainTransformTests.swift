import CBaselineJPEG
import CTurboJPEG
import Foundation
import System
import Testing

@testable import Imagery

/// The transforms with vector instructions (AVX2, NEON) give the samples of the plain C transforms, and report certainty for the
/// same blocks.
@Suite(.enabled(if: BaselineJPEG(when: .itIsThere) != nil, "this processor lacks its instructions"))
struct PlainTransformTests {
  /// The distribution of random coefficients.
  enum Kind: CaseIterable {
    case few, all, extreme
  }

  /// Returns eight blocks of coefficients whose absolute values are below 2 to the power of `bits`.
  private static func blocks(
    _ random: inout SplitMix64, _ kind: Kind, bits: Int, isSparse: Bool
  ) -> [Int16] {
    let most = 1 << bits
    return (0..<8 * 64).map { place in
      let dice = Int(truncatingIfNeeded: random.next() >> 20)
      if isSparse, place % 8 > 3 || place / 8 % 8 > 3 { return 0 }
      switch kind {
      case .few: return dice & 3 == 0 ? Int16((dice >> 2) % (2 * most) - most) : 0
      case .all: return Int16(dice % (2 * most) - most)
      case .extreme: return Int16(dice & 1 == 0 ? most - 1 : -most)
      }
    }
  }

  /// Returns a transform's result: whether the transform is certain, the samples, and whether it left other bytes unchanged.
  private static func transform(
    _ blocks: [Int16], _ eighths: Int, isSparse: Bool, isPlain: Bool
  ) -> (isSure: Int32, samples: [[UInt8]], isKept: Bool) {
    // The stride is odd, so rows begin at every alignment.
    let (width, stride) = (8 * eighths, 8 * eighths + 8 + 13)
    var out = [UInt8](repeating: 77, count: stride * eighths)
    let isSure = baseline_jpeg_transform(
      Int32(eighths), isSparse ? 1 : 0, isPlain ? 1 : 0, blocks, &out, Int32(stride))
    let rows = (0..<eighths).map { Array(out[$0 * stride..<($0 + 1) * stride]) }
    return (
      isSure, rows.map { Array($0.prefix(width)) }, rows.allSatisfy { $0.suffix(13).allSatisfy { $0 == 77 } }
    )
  }

  @Test(arguments: 1...8, [false, true]) func vectorsHaveThePlainSamples(eighths: Int, isSparse: Bool) {
    var random = SplitMix64(seed: UInt64(eighths))
    var sure = 0
    for bits in 0...13 {
      for kind in Kind.allCases {
        for _ in 0..<12 {
          let blocks = Self.blocks(&random, kind, bits: bits, isSparse: isSparse)
          let plain = Self.transform(blocks, eighths, isSparse: isSparse, isPlain: true)
          let fast = Self.transform(blocks, eighths, isSparse: isSparse, isPlain: false)
          #expect(fast.isSure == plain.isSure && plain.isSure >= 0, "\(kind) below \(1 << bits)")
          #expect(fast.isKept && plain.isKept)
          guard plain.isSure == 1 else { continue }
          sure += 1
          #expect(fast.samples == plain.samples, "\(kind) below \(1 << bits)")
        }
      }
    }
    #expect(sure > 200)
  }

  private static let sizes = [(1, 1), (9, 3), (65, 17), (161, 121), (33, 257)].map {
    PixelSize(width: $0.0, height: $0.1)
  }

  @Test(arguments: EncodedJPEG.samplings, sizes) func picturesHaveThePlainSamples(
    sampling: Int32, size: PixelSize
  ) throws {
    for quality: Int32 in [15, 90, 100] {
      #expect(try isAlike(EncodedJPEG.picture(size, sampling: sampling, quality: quality)) == 8)
    }
  }

  /// The fuzzers' seed files are decoded by both transforms or by neither.
  @Test func inputsOfTheFuzzersHaveThePlainSamples() throws {
    let seeds = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fuzzing/Seeds/jpeg").standardizedFileURL
    let files =
      try FileManager.default.contentsOfDirectory(at: seeds, includingPropertiesForKeys: nil)
      + Pictures.files("malformed") + Pictures.files("exif_orientation")
    let decoded = try files.map { try isAlike([UInt8](Data(contentsOf: $0))) }
    #expect(decoded.count { $0 == 8 } >= 4)
  }

  /// Compares both transforms at every scale.
  /// - Returns: the number of scales at which there is a picture.
  private func isAlike(_ bytes: [UInt8]) throws -> Int {
    let fast = try #require(BaselineJPEG(when: .itIsThere))
    let plain = try #require(BaselineJPEG(when: .itIsThere, isPlain: true))
    let (scratch, other) = (Scratch(), Scratch())
    return try bytes.withUnsafeBytes { bytes in
      guard let header = try? JPEGHeader(bytes), header.size.area < 1 << 21 else { return 0 }
      return try (1...8).count { eighths in
        let one = try fast.decode(bytes, header, eighths: eighths, into: scratch)
        let two = try plain.decode(bytes, header, eighths: eighths, into: other)
        #expect((one == nil) == (two == nil))
        guard let one, let two else { return false }
        var found = BaselineJPEGTests.Distance()
        // The scratch objects own the planes.
        let isShaped = withExtendedLifetime((scratch, other)) { found.add(one, two) }
        #expect(isShaped && found.different == 0, "at \(eighths)/8")
        return true
      }
    }
  }
}
