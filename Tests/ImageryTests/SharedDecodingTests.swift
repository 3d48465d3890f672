import CTurboJPEG
import Testing

@testable import Imagery

/// A JPEG picture with restart markers: two threads decode it bit for bit as one does, or both ways refuse it.
@Suite(.enabled(if: BaselineJPEG(when: .itIsThere) != nil, "this processor lacks its instructions"))
struct SharedDecodingTests {
  /// Returns the samples of all planes, row by row.
  private func samples(_ image: PlanarImage) -> [[UInt8]] {
    image.planes.indices.map { index in
      let size = image.planeSize(index)
      return (0..<size.height).flatMap { row in
        Array(UnsafeBufferPointer(start: image.planes[index].row(row), count: size.width))
      }
    }
  }

  /// Decodes a picture.
  /// - Returns: nil if the picture is refused.
  private func decoded(
    _ bytes: [UInt8], _ use: PhotoThreads.Use, eighths: Int
  ) throws -> (size: PixelSize, planes: [[UInt8]])? {
    let decoder = try #require(BaselineJPEG(when: .itIsThere, threads: PhotoThreads(use)))
    let scratch = Scratch()
    return try bytes.withUnsafeBytes { bytes in
      guard let header = try? JPEGHeader(bytes) else { return nil }
      guard let image = try decoder.decode(bytes, header, eighths: eighths, into: scratch) else { return nil }
      return withExtendedLifetime(scratch) { (image.size, samples(image)) }
    }
  }

  /// Compares decoding by one and by two threads.
  /// - Returns: whether the picture was decoded.
  private func compare(_ bytes: [UInt8], eighths: Int, _ what: String = "") throws -> Bool {
    let (one, two) = (
      try decoded(bytes, .never, eighths: eighths), try decoded(bytes, .always, eighths: eighths)
    )
    #expect(one?.size == two?.size, "\(what) at \(eighths)/8")
    #expect(one?.planes == two?.planes, "\(what) at \(eighths)/8")
    return one != nil
  }

  /// The restart intervals end with rows of MCUs or not, span several rows, or cover the whole picture.
  @Test(arguments: EncodedJPEG.samplings, [1, 3, 5, 7, 12, 24, 36, 100, 60000]) func bandsAreBitIdentical(
    sampling: Int32, interval: Int
  ) throws {
    for (across, down, lacking) in [(12, 37, 5), (3, 20, 0), (1, 33, 7)] {
      let (bytes, _) = try EncodedJPEG.restarting(
        across: across, down: down, interval: interval, lacking: lacking, sampling: sampling)
      for eighths in 1...8 {
        #expect(try compare(bytes, eighths: eighths, "\(across) × \(down)"), "\(across) × \(down)")
      }
    }
  }

  /// Returns the places of restart markers after the header.
  private func markers(_ bytes: [UInt8]) throws -> [Int] {
    let scan = try EncodedJPEG.scanStart(bytes)
    return bytes.indices.dropLast().filter {
      $0 >= scan && bytes[$0] == 0xFF && (0xD0...0xD7).contains(bytes[$0 + 1])
    }
  }

  private enum Damage: CaseIterable {
    case missing, renumbered, twice, fill, strayByte, cutBefore, cutBehind, ended

    func done(to bytes: [UInt8], at marker: Int) -> [UInt8] {
      var bytes = bytes
      switch self {
      case .missing: bytes.removeSubrange(marker..<marker + 2)
      case .renumbered: bytes[marker + 1] = 0xD0 + (bytes[marker + 1] + 1) % 8
      case .twice: bytes.insert(contentsOf: bytes[marker..<marker + 2], at: marker)
      case .fill: bytes.insert(0xFF, at: marker)
      case .strayByte: bytes.insert(0x5A, at: marker)
      case .cutBefore: bytes.removeSubrange((marker - 3)...)
      case .cutBehind: bytes.removeSubrange((marker + 1)...)
      case .ended: bytes[marker + 1] = 0xD9
      }
      return bytes
    }
  }

  /// Each marker is damaged in each way. Neither one thread nor two accept the picture.
  @Test(arguments: EncodedJPEG.samplings) func damagedMarkersAreNoticedByBoth(sampling: Int32) throws {
    let (whole, _) = try EncodedJPEG.restarting(
      across: 4, down: 20, interval: 4, lacking: 3, sampling: sampling)
    let places = try markers(whole)
    #expect(places.count == 19)
    for place in places {
      for damage in Damage.allCases {
        let bytes = damage.done(to: whole, at: place)
        #expect(try !compare(bytes, eighths: 3, "\(damage) at \(place)"), "\(damage) at \(place)")
      }
    }
  }

  /// Bits are changed and data are cut in every interval.
  @Test(arguments: 0..<6) func damagedDataAreRefusedByBothOrNeither(series: Int) throws {
    let (whole, _) = try EncodedJPEG.restarting(
      across: 6, down: 16, interval: [2, 3, 6, 9, 12, 4][series], lacking: 2,
      sampling: EncodedJPEG.samplings[series])
    let scan = try EncodedJPEG.scanStart(whole)
    var decodedCount = 0
    for round in 0..<150 {
      var bytes = whole
      let place = scan + (whole.count - scan) * round / 150
      let bit = Pictures.noise(series, round, 7)
      if round % 5 == 4 { bytes.removeSubrange(place...) } else { bytes[place] ^= 1 << (bit % 8) }
      decodedCount += try compare(bytes, eighths: round % 8 + 1, "round \(round)") ? 1 : 0
    }
    #expect((1..<150).contains(decodedCount))
  }

  /// Complete decoders with one and with two threads, including libjpeg-turbo as the fallback, give the same planes, notes and
  /// errors.
  @Test func whatIsToldOfDamageIsTheSame() throws {
    let (whole, _) = try EncodedJPEG.restarting(
      across: 4, down: 20, interval: 4, lacking: 3, sampling: Int32(TJSAMP_420.rawValue))
    for place in try markers(whole).enumerated().filter({ $0.offset % 6 == 0 }).map(\.element) {
      for damage in Damage.allCases {
        let bytes = damage.done(to: whole, at: place)
        let results = try [PhotoThreads.Use.never, .always].map { use in
          let decoder = JPEGDecoder(baseline: .itIsThere, threads: PhotoThreads(use))
          return try bytes.withUnsafeBytes { bytes -> String in
            let header = try JPEGHeader(bytes)
            do {
              let (image, notes) = try decoder.decode(bytes, header)
              return withExtendedLifetime(decoder) { "\(notes) \(samples(image))" }
            } catch { return "\(error)" }
          }
        }
        #expect(results[0] == results[1], "\(damage) at \(place)")
      }
    }
  }

  /// For 5 × 3 samples, all scales above a half give the same size. libjpeg-turbo gets only the size, and uses the finest of these
  /// scales.
  @Test func verySmallPicturesAreDecodedAtTheFinestScaleOfTheirSize() throws {
    for (width, height) in [(1, 1), (5, 3), (7, 7), (8, 1)] {
      var bytes = try EncodedJPEG.picture(
        PixelSize(width: 8, height: 8), sampling: Int32(TJSAMP_444.rawValue))
      let frame = try #require(
        bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
      (bytes[frame + 6], bytes[frame + 8]) = (UInt8(height), UInt8(width))
      for eighths in 1...8 {
        let ours = try #require(try decoded(bytes, .never, eighths: eighths)).planes
        let reference = JPEGDecoder(baseline: nil)
        let theirs = try bytes.withUnsafeBytes { bytes in
          let image = try reference.decode(bytes, JPEGHeader(bytes), eighths: eighths).image
          return withExtendedLifetime(reference) { samples(image) }
        }
        let most = zip(ours.joined(), theirs.joined()).map { abs(Int($0) - Int($1)) }.max()
        #expect(try #require(most) <= 1, "\(width) × \(height) at \(eighths)/8")
      }
    }
  }
}
