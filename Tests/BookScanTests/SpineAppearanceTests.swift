import Foundation
import Imagery
import ScriptedPhotos
import System
import Testing

@testable import BookScan

/// The hash and the picture that a reading makes of each record of a photo.
@Suite struct SpineAppearanceTests {
  @Test func theWorkerTellsThemOnlyWhenAsked() throws {
    let worker = try ScriptedPhoto.worker()
    let photo = try ScriptedPhoto.bytes("book=Dune doubtful=Emma unlikely=Exit")
    let plain = try worker.scan(photo, level: .fast).findings
    #expect((plain.spines + plain.unlikely).allSatisfy { $0.appearance == nil })
    let findings = try worker.scan(photo, level: .fast, withAppearances: true).findings
    let records = findings.spines + findings.unlikely
    // A person reviews the records that are not sure, so these have pictures.
    #expect(records.map { $0.appearance?.picture != nil } == [false, true, true])
    #expect(records.allSatisfy { $0.appearance?.hash != nil })
    var again = plain
    try again.addAppearances(in: try UprightPhoto(file: photo))
    #expect(again.spines + again.unlikely == records)
  }

  /// The view is stored in each orientation. The noise of JPEG coding may change a bit or two of its hash.
  @Test(arguments: Orientation.allCases) func aTurnedPhotoLooksLikeTheUprightOne(_ orientation: Orientation)
    throws
  {
    let box = Box(x: 60, y: 20, width: 70, height: 120)
    var spine = SpineFinding(title: "Dune", confidence: 0.9, certainty: .doubtful, box: box, angle: 0)
    let upright = try appearance(of: spine, .upright)
    let turned = try appearance(of: spine, orientation)
    #expect(try #require(upright.hash).distance(to: try #require(turned.hash)) <= 2)
    #expect(try ImageFile.read([UInt8](try #require(turned.picture))).image.format.size.longSide > 100)
    spine.box = Box(x: 10, y: 100, width: 70, height: 40)
    let other = try appearance(of: spine, orientation)
    #expect(try #require(upright.hash).distance(to: try #require(other.hash)) > 12)
  }

  private let size = PixelSize(width: 240, height: 160)

  private func appearance(of spine: SpineFinding, _ orientation: Orientation) throws -> SpineAppearance {
    var settings = PhotoSettings(longSide: nil, quality: 95, maximumBytes: nil)
    settings.orientationMode = .tagged
    let file = try PhotoPipeline().process(
      try stored(orientation), orientation: orientation, settings: settings
    ).bytes
    let photo = try UprightPhoto(file: file)
    #expect(photo.size == size)
    var findings = PhotoFindings(recognizer: "r", size: size, lines: [], spines: [spine])
    try findings.addAppearances(in: photo)
    return try #require(findings.spines[0].appearance)
  }

  /// A view of blotches, stored so that `orientation` makes it upright.
  private func stored(_ orientation: Orientation) throws -> PixelBuffer {
    let image = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: orientation.inverse.applied(to: size), color: .jpeg))
    let plane = image.planes[0]
    for y in 0..<image.format.size.height {
      let row = plane.base.assumingMemoryBound(to: UInt8.self) + y * plane.bytesPerRow
      for x in 0..<image.format.size.width {
        let place = upright(x, y, image.format.size, orientation)
        let light =
          sin(Double(place.x) / 9) * cos(Double(place.y) / 7) + sin(Double(place.x + 2 * place.y) / 17)
        let code = UInt8(128 + 50 * light)
        for channel in 0..<3 { row[x * 4 + channel] = code }
        row[x * 4 + 3] = 255
      }
    }
    return image
  }

  /// The place of a stored pixel in the upright picture: mirrored first, then turned clockwise.
  private func upright(
    _ x: Int, _ y: Int, _ size: PixelSize, _ orientation: Orientation
  ) -> (x: Int, y: Int) {
    let x = orientation.isMirrored ? size.width - 1 - x : x
    switch orientation.rotation {
    case .none: return (x, y)
    case .clockwise90: return (size.height - 1 - y, x)
    case .half: return (size.width - 1 - x, size.height - 1 - y)
    case .clockwise270: return (y, size.width - 1 - x)
    }
  }
}
