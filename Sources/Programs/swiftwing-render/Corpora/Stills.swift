import Charts
import Corpora
import Imagery

/// `stills-12mp`: photographs of whole bookcases as phones store them. Four of them must be rotated by their EXIF tag.
struct Stills {
  var size = PixelSize(width: 4000, height: 3000)
  var quality = 86

  /// EXIF orientation, shelves and pile spacing of each photograph.
  private static let photographs: [(exif: Int, shelves: Int, pileEvery: Int)] = [
    (1, 3, 14), (6, 4, 9), (1, 2, 11), (3, 3, 12), (8, 4, 10), (1, 4, 16), (6, 3, 8), (1, 3, 30),
  ]

  func record(_ recording: DrawnRecording) throws {
    var manifest = recording.manifest(
      title: "Photographs of bookcases, 12 MP", size: size, framesPerSecond: 1, isStills: true)
    let side = size.height / 12 / 6 * 6
    manifest.fiducials = [ChartRect(x: side / 4, y: side / 4, width: side, height: side)]
    let writer = try recording.writer(manifest)
    for index in Self.photographs.indices { try photograph(index, manifest, writer: writer) }
    try writer.finish(durationNanoseconds: Int64(Self.photographs.count) * 1_000_000_000)
  }

  private func photograph(_ index: Int, _ manifest: CorpusManifest, writer: CorpusWriter) throws {
    guard let orientation = Orientation(exif: Self.photographs[index].exif) else { return }
    let upright = orientation.applied(to: size)
    let (scene, shelves) = draw(index, upright)
    let exposure = Exposure(scene, size: upright, optics: .phone)
    exposure.expose(x: 0, y: 0, seed: 5000 + UInt64(index))
    let stored = exposure.image.turned(orientation.inverse)
    for rect in manifest.fiducials { stored.drawFiducial(in: rect, orientation: orientation.inverse) }
    let jpeg = try Self.tagged(FrameCompressor().jpeg(stored, quality: quality), orientation)
    let file = try writer.addFrame(jpeg, time: Int64(index) * 1_000_000_000, sequence: UInt32(index))
    let hidden = manifest.fiducials.map { Self.upright($0.grown(by: $0.width / 6), orientation, size: size) }
    for placed in shelves.flatMap(\.books) where !hidden.contains(where: { $0.overlaps(placed.box) }) {
      let box = placed.box
      writer.truth.spines.append(
        placed.truth(file: file, box: TruthBox(x: box.x, y: box.y, width: box.width, height: box.height)))
    }
  }

  private func draw(_ index: Int, _ upright: PixelSize) -> (ScenePicture, [DrawnShelf]) {
    let (_, count, pileEvery) = Self.photographs[index]
    let canvas = Canvas(upright)
    var librarian = Librarian(seed: 100 + UInt64(index))
    let (width, height) = (Double(upright.width), Double(upright.height))
    let pitch = height / Double(count)
    let shelves = (0..<count).map { shelf in
      DrawnShelf(
        left: width * 0.02, right: width * 0.98, board: (pitch * (Double(shelf) + 0.93)).rounded(),
        row: (pitch * 0.8).rounded(), pileEvery: pileEvery, librarian: &librarian)
    }
    ShelfPainter(canvas: canvas).paint(
      shelves, in: DrawnBox(x: 0, y: 0, width: width, height: height), seed: 200 + UInt64(index))
    return (ScenePicture(canvas), shelves)
  }

  /// The JPEG with an EXIF segment after its first marker.
  private static func tagged(_ jpeg: [UInt8], _ orientation: Orientation) -> [UInt8] {
    Array(jpeg[..<2]) + EXIF.application1(orientation) + Array(jpeg[2...])
  }

  /// The rectangle in the upright picture for a rectangle of stored pixels.
  private static func upright(_ rect: ChartRect, _ orientation: Orientation, size: PixelSize) -> DrawnBox {
    let corners = ChartCorners(rect).oriented(orientation, in: size)
    let xs = [corners.topRight.x, corners.bottomLeft.x]
    let ys = [corners.topRight.y, corners.bottomLeft.y]
    return DrawnBox(
      x: min(xs[0], xs[1]), y: min(ys[0], ys[1]), width: abs(xs[0] - xs[1]), height: abs(ys[0] - ys[1]))
  }
}

extension DrawnBox {
  func overlaps(_ other: DrawnBox) -> Bool {
    x < other.x + other.width && other.x < x + width && y < other.y + other.height && other.y < y + height
  }
}
