import Capture
import Foundation
import Imagery
import Testing

@testable import EngineScenarios
@testable import Probes

/// Comparisons of photos with their originals.
@Suite struct PhotoComparisonTests {
  @Test func photosAreComparedAsTheirReaderSeesThem() throws {
    let scene = try LikenessScene()
    for orientation in Orientation.allCases {
      for kind in PhotoComparison.Kind.allCases {
        let difference = try scene.comparison(PhotoPipeline(), kind, turned: orientation).difference
        #expect(difference.likeness > 33 && difference.chromaMean < 3, "\(kind) \(orientation) \(difference)")
      }
    }
  }

  @Test func aPhotoTurnedTheOtherWayIsUnlikeItsOriginal() throws {
    let scene = try LikenessScene()
    let turned = Orientation(rotation: .clockwise90)
    for kind in PhotoComparison.Kind.allCases {
      let wrong = try scene.comparison(
        PhotoPipeline(), kind, turned: turned, claimed: Orientation(rotation: .clockwise270)
      ).difference
      #expect(wrong.likeness < 30)
    }
  }
}

/// A drawn picture that is photographed at half its size.
struct LikenessScene {
  let frame: PixelBuffer

  init() throws {
    frame = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: PixelSize(width: 320, height: 192), color: .jpeg))
    let plane = frame.planes[0]
    for y in 0..<192 {
      for x in 0..<320 {
        // Colour ramps with grey waves as fine as letters' strokes, which half the resolution cannot show.
        let wave = Int(50 + 25 * cos(Double(x) * .pi / 6) + 25 * cos(Double(y) * .pi / 5))
        for (channel, level) in [40 + x / 3, 60 + y / 2, 130 - x / 4, 155].map({ $0 + wave }).enumerated() {
          plane.base.storeBytes(
            of: UInt8(min(max(level, 0), 255)), toByteOffset: y * plane.bytesPerRow + x * 4 + channel,
            as: UInt8.self)
        }
      }
    }
  }

  /// Compares a photo of the scene with the scene.
  /// - Parameter claimed: the orientation by which the photo is judged; nil for the true one.
  func comparison(
    _ pipeline: any PhotoProcessing, _ kind: PhotoComparison.Kind, turned orientation: Orientation = .upright,
    claimed: Orientation? = nil
  ) throws -> PhotoComparison {
    var settings = kind.settings
    settings.longSide = 160
    let photo = try pipeline.process(frame, orientation: orientation, settings: settings)
    let original = Original(try ReferencePicture(decoding: frame))
    return try PhotoComparison(photo, kind, turned: claimed ?? orientation, original: original)
  }
}
