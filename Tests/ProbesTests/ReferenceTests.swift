import Capture
import Corpora
import Foundation
import Imagery
import Replay
import Testing

@testable import Probes

/// Reference pictures, with values calculated by hand.
@Suite struct ReferenceTests {
  private func picture(_ width: Int, _ reds: [UInt8]) -> ReferencePicture {
    ReferencePicture(
      size: PixelSize(width: width, height: reds.count / width), rgb: reds.flatMap { [$0, 7, 255 - $0] })
  }

  private func reds(_ samples: RGBSamples) -> [Double] {
    stride(from: 0, to: samples.values.count, by: 3).map { samples.values[$0] }
  }

  @Test func eachPixelIsTheMeanOfTheAreaItCovers() {
    let halved = picture(4, [0, 10, 20, 30, 40, 50, 60, 70]).averaged(to: PixelSize(width: 2, height: 1))
    #expect(reds(halved) == [25, 45])
    #expect(halved.values[1] == 7 && halved.values[2] == 230)
    // Each new pixel covers one and a half pixels: (0 + 30/2) / 1.5 and (30/2 + 60) / 1.5.
    let uneven = reds(picture(3, [0, 30, 60]).averaged(to: PixelSize(width: 2, height: 1)))
    #expect(abs(uneven[0] - 10) < 1e-9 && abs(uneven[1] - 50) < 1e-9)
    let column = reds(picture(1, [0, 30, 60]).averaged(to: PixelSize(width: 1, height: 2)))
    #expect(abs(column[0] - 10) < 1e-9 && abs(column[1] - 50) < 1e-9)
    #expect(reds(picture(3, [1, 2, 3]).averaged(to: PixelSize(width: 3, height: 1))) == [1, 2, 3])
  }

  @Test(arguments: [
    (1, [1, 2, 3, 4, 5, 6]), (2, [2, 1, 4, 3, 6, 5]), (3, [6, 5, 4, 3, 2, 1]), (4, [5, 6, 3, 4, 1, 2]),
    (5, [1, 3, 5, 2, 4, 6]), (6, [5, 3, 1, 6, 4, 2]), (7, [6, 4, 2, 5, 3, 1]), (8, [2, 4, 6, 1, 3, 5]),
  ])
  func turnsAsEXIFSays(exif: Int, expected: [Double]) throws {
    let orientation = try #require(Orientation(exif: exif))
    #expect(reds(picture(2, [1, 2, 3, 4, 5, 6]).samples.turned(orientation)) == expected)
  }

  /// The codes of pure red, by the ITU recommendations.
  @Test(arguments: [
    (ColorMatrix.bt601, ColorRange.full, 76.0, 85, 255), (.bt601, .limited, 81, 90, 240),
    (.bt709, .limited, 63, 102, 240), (.bt709, .full, 54, 99, 255), (.bt2020, .limited, 74, 97, 240),
  ])
  func codesBecomeLightByTheRecommendations(
    matrix: ColorMatrix, range: ColorRange, y: Double, cb: Double, cr: Double
  ) throws {
    for format in [
      PixelFormat.nv12, .nv21, .nv16, .i420, .yv12, .i422, .i444, .yuyv, .yvyu, .uyvy, .p010, .y210,
    ] {
      let image = try Self.flat(
        format, [y, cb, cr].map { Int($0) }, ColorDescription(matrix: matrix, range: range))
      let values = try ReferencePicture(exactly: image).samples.values
      for pixel in stride(from: 0, to: values.count, by: 3) {
        #expect(values[pixel] > 252 && values[pixel + 1] < 3 && values[pixel + 2] < 3, "\(format)")
      }
    }
  }

  /// RGB may have limited range too, in which 16 is black and 235 is white.
  @Test(arguments: [PixelFormat.bgra, .rgba]) func limitedRGBIsExpanded(format: PixelFormat) throws {
    for (range, codes, light) in [
      (ColorRange.full, [16, 16, 16, 255], 16.0), (.limited, [16, 16, 16, 255], 0),
      (.limited, [235, 235, 235, 255], 255), (.limited, [250, 250, 250, 0], 255),
      (.limited, [126, 126, 126, 9], 110.0 * 255 / 219),
    ] {
      let image = try PixelBufferPool().makeBuffer(
        ImageFormat(
          pixelFormat: format, size: PixelSize(width: 4, height: 2),
          color: ColorDescription(matrix: .bt709, range: range)))
      for place in 0..<image.planes[0].byteCount {
        image.planes[0].base.storeBytes(of: UInt8(codes[place % 4]), toByteOffset: place, as: UInt8.self)
      }
      let values = try ReferencePicture(exactly: image).samples.values
      #expect(values.allSatisfy { abs($0 - light) < 1e-9 }, "\(range) \(codes)")
    }
  }

  /// A sensor with each of the four Bayer patterns in front of orange: red 200, green 100, blue 50.
  @Test(arguments: [
    (PixelFormat.bayerBGGR, [50, 100, 100, 200]), (.bayerGBRG, [100, 50, 200, 100]),
    (.bayerGRBG, [100, 200, 50, 100]), (.bayerRGGB, [200, 100, 100, 50]),
  ])
  func everyFilterIsKnown(format: PixelFormat, square: [UInt8]) throws {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: format, size: PixelSize(width: 6, height: 4), color: .jpeg))
    for y in 0..<4 {
      for x in 0..<6 {
        image.planes[0].base.storeBytes(
          of: square[y % 2 * 2 + x % 2], toByteOffset: y * image.planes[0].bytesPerRow + x, as: UInt8.self)
      }
    }
    let values = try ReferencePicture(exactly: image).samples.values
    for pixel in stride(from: 0, to: values.count, by: 3) {
      #expect(Array(values[pixel..<pixel + 3]) == [200, 100, 50], "\(format)")
    }
  }

  /// Returns a picture of one colour, given in 8-bit codes. 10-bit formats store the codes in their high bits.
  private static func flat(
    _ pixelFormat: PixelFormat, _ codes: [Int], _ color: ColorDescription
  ) throws -> PixelBuffer {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: pixelFormat, size: PixelSize(width: 4, height: 2), color: color))
    let isWide = pixelFormat == .p010 || pixelFormat == .y210
    for (index, plane) in image.planes.enumerated() {
      for place in 0..<plane.byteCount / (isWide ? 2 : 1) {
        let sample =
          switch pixelFormat {
          case .yuyv, .y210: [0, 1, 0, 2][place % 4]
          case .yvyu: [0, 2, 0, 1][place % 4]
          case .uyvy: [1, 0, 2, 0][place % 4]
          case .nv12, .nv16, .p010: index == 0 ? 0 : 1 + place % 2
          case .nv21: index == 0 ? 0 : 2 - place % 2
          case .yv12: (3 - index) % 3
          default: index
          }
        if isWide {
          let wide = color.range == .full ? (codes[sample] * 1023 + 127) / 255 : codes[sample] * 4
          plane.base.storeBytes(of: UInt16(wide << 6).littleEndian, toByteOffset: place * 2, as: UInt16.self)
        } else {
          plane.base.storeBytes(of: UInt8(codes[sample]), toByteOffset: place, as: UInt8.self)
        }
      }
    }
    return image
  }

  @Test func aRecordingsFileIsFoundInEveryLap() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "originals-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let size = PixelSize(width: 2, height: 2)
    let writer = try CorpusWriter(
      creating: folder,
      manifest: CorpusManifest(
        name: "levels", title: "levels", licence: "CC0-1.0", madeBy: "test", pixelFormat: .grey, size: size,
        color: .jpeg, frameInterval: FrameInterval(framesPerSecond: 2)))
    // The device has lost frame 1, and the last frame lies beyond the part that is played.
    for (index, sequence) in [0, 2, 3, 4].enumerated() {
      let level = UInt8(10 * sequence)
      try writer.addFrame(
        [level, level, level, level], suffix: "raw", time: Int64(index) * 500_000_000,
        sequence: UInt32(sequence))
    }
    try writer.finish()
    var options = ReplayOptions()
    (options.loops, options.seconds) = (true, 1)
    let frames = try RecordedFrames(ReplaySource(corpus: Corpus(opening: folder), options: options))
    for (sequence, level) in [(0, 0.0), (2, 20), (3, 0), (5, 20)] {
      #expect(try reds(frames.picture(UInt32(sequence)).samples)[0] == level)
    }
    #expect(throws: ReferenceError.self) { try frames.picture(1) }
  }

  @Test func whatIsNoPictureIsRefused() {
    #expect(throws: ReferenceError.self) { try ReferencePicture(file: [0xFF, 0xD8, 0xFF, 0xD9]) }
    #expect(throws: (any Error).self) { try ReferencePicture(file: [0x89, 0x50, 0x4E, 0x47]) }
  }
}
