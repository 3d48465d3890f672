import CTurboJPEG
import Foundation
import Testing

@testable import Imagery

/// The baseline decoder compared with libjpeg-turbo. Its samples are equal at full size and within one level at reduced sizes. If
/// the decoder is not certain of that, it returns no picture.
@Suite(.enabled(if: BaselineJPEG(when: .itIsThere) != nil, "this processor lacks its instructions"))
struct BaselineJPEGTests {
  /// The difference between two pictures, added up over their samples.
  struct Distance {
    var most = 0
    var different = 0
    var samples = 0

    /// Adds a pair of pictures to the difference.
    /// - Returns: false if the pictures differ in size, sampling or colour description.
    mutating func add(_ ours: PlanarImage, _ theirs: PlanarImage) -> Bool {
      guard ours.size == theirs.size, ours.sampling == theirs.sampling, ours.color == theirs.color,
        ours.planes.count == theirs.planes.count
      else { return false }
      for index in 0..<ours.planes.count {
        let size = ours.planeSize(index)
        samples += size.area
        for y in 0..<size.height {
          let (a, b) = (ours.planes[index].row(y), theirs.planes[index].row(y))
          for x in 0..<size.width where a[x] != b[x] {
            different += 1
            most = max(most, abs(Int(a[x]) - Int(b[x])))
          }
        }
      }
      return true
    }

    mutating func add(_ other: Distance) {
      most = max(most, other.most)
      different += other.different
      samples += other.samples
    }
  }

  /// Decodes a picture at every scale and compares the samples. The decoder under test must not refuse it.
  private func distance(_ bytes: [UInt8]) throws -> Distance {
    let ours = try #require(BaselineJPEG(when: .itIsThere))
    let (scratch, theirs) = (Scratch(), JPEGDecoder(baseline: nil))
    var distance = Distance()
    try bytes.withUnsafeBytes { bytes in
      let header = try JPEGHeader(bytes)
      for eighths in 1...8 {
        let own = try #require(
          try ours.decode(bytes, header, eighths: eighths, into: scratch), "at \(eighths)/8")
        let (reference, notes) = try theirs.decode(bytes, header, eighths: eighths)
        #expect(notes.isEmpty)
        // The decoders own the planes.
        var found = Distance()
        let isAlike = withExtendedLifetime((scratch, theirs)) { found.add(own, reference) }
        #expect(isAlike)
        #expect(eighths < 8 || found.most == 0, "at full size the samples are the library's own")
        distance.add(found)
      }
    }
    return distance
  }

  private func isRefused(_ bytes: [UInt8]) throws -> Bool {
    let ours = try #require(BaselineJPEG(when: .itIsThere))
    return try bytes.withUnsafeBytes { bytes in
      try ours.decode(bytes, JPEGHeader(bytes), eighths: 8, into: Scratch()) == nil
    }
  }

  private static let sizes = [(1, 1), (8, 8), (17, 9), (64, 48), (161, 121), (130, 71), (33, 257), (301, 20)]
    .map {
      PixelSize(width: $0.0, height: $0.1)
    }

  @Test(arguments: EncodedJPEG.samplings, sizes) func everyScaleIsWithinALevel(
    sampling: Int32, size: PixelSize
  ) throws {
    var (different, samples) = (0, 0)
    for quality: Int32 in [20, 75, 95, 100] {
      let found = try distance(EncodedJPEG.picture(size, sampling: sampling, quality: quality))
      #expect(found.most <= 1, "quality \(quality)")
      different += found.different
      samples += found.samples
    }
    #expect(different * 100 <= samples, "\(different) of \(samples) samples are a level apart")
  }

  @Test(arguments: EncodedJPEG.samplings, [1, 3, 12]) func restartMarkersAreFollowed(
    sampling: Int32, interval: Int
  ) throws {
    let (bytes, size) = try EncodedJPEG.restarting(
      across: 12, down: 4, interval: interval, lacking: 5, sampling: sampling)
    #expect(try bytes.withUnsafeBytes { try JPEGHeader($0).size } == size)
    #expect(try distance(bytes).most <= 1)
    // The marker has a wrong number: the data after it belong to another place.
    let scan = try EncodedJPEG.scanStart(bytes)
    let marker = try #require(
      bytes.indices.dropLast().first { $0 > scan && bytes[$0] == 0xFF && bytes[$0 + 1] == 0xD1 })
    var other = bytes
    other[marker + 1] = 0xD5
    #expect(try isRefused(other))
  }

  /// The data are longer than the piece that the decoder unstuffs at a time.
  @Test func longDataAreDecodedToTheirEnd() throws {
    let bytes = try EncodedJPEG.picture(
      PixelSize(width: 640, height: 400), sampling: Int32(TJSAMP_420.rawValue), quality: 98)
    #expect(bytes.count > 100_000)
    #expect(try distance(bytes).most <= 1)
  }

  /// Motion JPEG without Huffman tables uses the standard ones, not those of the previous picture.
  @Test func missingHuffmanTablesAreTheStandardOnes() throws {
    let size = PixelSize(width: 96, height: 64)
    let whole = try EncodedJPEG.picture(size, sampling: Int32(TJSAMP_422.rawValue))
    #expect(try distance(EncodedJPEG.without(0xC4, whole)).most <= 1)
    #expect(try isRefused(EncodedJPEG.without(0xDB, whole)))
    let ours = try #require(BaselineJPEG(when: .itIsThere))
    let theirs = JPEGDecoder(baseline: nil)
    var found = Distance()
    let scratch = Scratch()
    for bytes in try [Self.seed("optimised.jpg"), EncodedJPEG.without(0xC4, whole)] {
      try bytes.withUnsafeBytes {
        let header = try JPEGHeader($0)
        let own = try #require(try ours.decode($0, header, eighths: 8, into: scratch))
        let reference = try theirs.decode($0, header).image
        // The decoders own the planes.
        let isAlike = withExtendedLifetime((scratch, theirs)) { found.add(own, reference) }
        #expect(isAlike)
      }
    }
    #expect(found.most <= 1)
  }

  /// This decoder could read the data, but libjpeg-turbo refuses such a table (T.81, C.2).
  @Test func aTableWithACodeOfAllOnesIsLeftToTheLibrary() throws {
    let size = PixelSize(width: 8, height: 8)
    let whole = try EncodedJPEG.without(
      0xC4, EncodedJPEG.picture(size, sampling: Int32(TJSAMP_GRAY.rawValue)))
    let scan = try EncodedJPEG.scanStart(whole)
    let start = try #require(whole.indices.dropLast().last { whole[$0] == 0xFF && whole[$0 + 1] == 0xDA })
    // A table with codes 0 and 1, for differences of no bits and of one bit.
    let table: [UInt8] = [0xFF, 0xC4, 0, 21, 0, 2] + [UInt8](repeating: 0, count: 15) + [0, 1]
    // No difference (0), the end of the block (1010), and padding with ones.
    let data: [UInt8] = [0b0101_0111, 0xFF, 0xD9]
    let bytes = Array(whole[..<start]) + table + Array(whole[start..<scan]) + data
    #expect(try isRefused(bytes))
    #expect(!compare(bytes, eighths: 8))
  }

  private static func seed(_ name: String) throws -> [UInt8] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../Fuzzing/Seeds/jpeg")
    return [UInt8](try Data(contentsOf: folder.appending(path: name).standardizedFileURL))
  }

  @Test(arguments: ["420.jpg", "grey.jpg", "restart.jpg", "optimised.jpg"]) func ordinaryFilesAreDecoded(
    name: String
  ) throws {
    #expect(try distance(Self.seed(name)).most <= 1)
  }

  @Test(arguments: ["444-progressive.jpg", "cmyk.jpg"]) func rareFilesAreLeftToTheLibrary(name: String) throws
  {
    #expect(try isRefused(Self.seed(name)))
  }

  /// Damaged data are refused, or decoded as libjpeg-turbo does: with the same error, the same notes, and
  /// each sample at most a level apart. At full size the samples are equal.
  @Test(arguments: 0..<12) func damagedDataAreDecodedAsByTheLibrary(series: Int) throws {
    let sampling = EncodedJPEG.samplings[series % 6]
    let size = PixelSize(width: 61, height: 45)
    let whole =
      try series < 6
      ? EncodedJPEG.picture(size, sampling: sampling, quality: 60)
      : EncodedJPEG.restarting(across: 4, down: 3, interval: 2, lacking: 3, sampling: sampling).bytes
    let scan = try EncodedJPEG.scanStart(whole)
    var decoded = 0
    for round in 0..<120 {
      var bytes = whole
      for change in 0...round % 3 {
        let dice = (0..<4).map { Int(Pictures.noise(series * 8 + $0, round, change)) }
        let first = dice[0] < 64 ? 2 : scan
        let place = first + (dice[1] << 8 | dice[2]) % (bytes.count - first)
        switch dice[3] % 4 {
        case 0: bytes[place] = UInt8(dice[0] & 255)
        case 1: bytes[place] ^= 1 << UInt8(dice[0] % 8)
        case 2: bytes[place] = 0xFF
        default: if change == 0 { bytes.removeLast(bytes.count - max(place, 4)) }
        }
        if bytes.count <= scan { break }
      }
      decoded += compare(bytes, eighths: [1, 2, 3, 4, 8][round % 5]) ? 1 : 0
    }
    #expect(decoded > 10, "too few of the damaged pictures could be decoded at all")
  }

  /// Compares decoding with and without the baseline decoder.
  /// - Returns: whether both decode a picture.
  private func compare(_ bytes: [UInt8], eighths: Int) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let header = try? JPEGHeader(bytes), header.size.area < 1 << 16 else { return false }
      let (with, without) = (JPEGDecoder(baseline: .itIsThere), JPEGDecoder(baseline: nil))
      let ours = Result { try with.decode(bytes, header, eighths: eighths) }
      let theirs = Result { try without.decode(bytes, header, eighths: eighths) }
      switch (ours, theirs) {
      case (.success(let ours), .success(let theirs)):
        #expect(ours.notes == theirs.notes)
        var found = Distance()
        // The decoders own the planes.
        let isAlike = withExtendedLifetime((with, without)) { found.add(ours.image, theirs.image) }
        #expect(isAlike && found.most <= (eighths == 8 ? 0 : 1))
        return true
      case (.failure(let ours), .failure(let theirs)): #expect("\(ours)" == "\(theirs)")
      default: Issue.record("one decoder has a picture, the other has none")
      }
      return false
    }
  }

  /// A camera leaves bytes behind the codes of every picture. This decoder refuses such a picture only at its
  /// end, so it soon tries few of them.
  @Test func picturesThatAreAlwaysRefusedAreSeldomTried() throws {
    let ours = try #require(BaselineJPEG(when: .itIsThere))
    let whole = try EncodedJPEG.picture(
      PixelSize(width: 32, height: 32), sampling: Int32(TJSAMP_420.rawValue))
    func isDecoded(_ bytes: [UInt8]) throws -> Bool {
      try bytes.withUnsafeBytes { try ours.decode($0, JPEGHeader($0), eighths: 8, into: Scratch()) != nil }
    }
    let untidy = Array(whole.dropLast(2)) + [0, 0, 0xFF, 0xD9]
    for _ in 0..<3 { #expect(try !isDecoded(untidy)) }
    let later = try (0..<128).map { _ in try isDecoded(whole) }
    let first = try #require(later.firstIndex(of: true))
    #expect((1..<64).contains(first))
    #expect(later[first...].allSatisfy { $0 })
  }
}
