import Charts
import Corpora
import Imagery

/// `shelf-pan`: a camera pans slowly along one long shelf, and pauses halfway.
struct ShelfPan {
  var size = PixelSize(width: 1280, height: 720)
  var frameCount = 300
  var quality = 75

  /// Pixels per scene unit. At 720 rows a scene unit is one pixel.
  private var scale: Double { Double(size.height) / 720 }
  private var sceneSize: PixelSize {
    PixelSize(width: size.height * 3000 / 720, height: size.height * 740 / 720)
  }
  private var chart: Int { size.height * 96 / 720 / 8 * 8 }
  private var margin: Int { size.height / 45 }

  func record(_ recording: DrawnRecording) throws {
    var manifest = recording.manifest(
      title: "A slow pan along one shelf of classics, with a pause", size: size)
    manifest.timeCode = ChartRect(x: margin, y: margin, width: chart, height: chart)
    manifest.fiducials = [ChartRect(x: size.width - margin - chart, y: margin, width: chart, height: chart)]
    let writer = try recording.writer(manifest)
    let (scene, shelf) = draw()
    writer.truth.spines = shelf.books.map { placed in
      let box = placed.box
      return placed.truth(
        file: nil,
        box: TruthBox(
          x: box.x * scale, y: box.y * scale, width: box.width * scale, height: box.height * scale))
    }
    try expose(scene, manifest, writer: writer)
    try writer.finish(durationNanoseconds: DrawnRecording.time(frameCount))
  }

  private func draw() -> (ScenePicture, DrawnShelf) {
    let canvas = Canvas(sceneSize)
    var librarian = Librarian(seed: 1)
    let shelf = DrawnShelf(left: 24, right: 2976, board: 690, row: 536, pileEvery: 19, librarian: &librarian)
    cairoScaled(canvas, by: scale) {
      ShelfPainter(canvas: canvas).paint([shelf], in: DrawnBox(x: 0, y: 0, width: 3000, height: 740), seed: 2)
    }
    return (ScenePicture(canvas).softened(), shelf)
  }

  private func expose(_ scene: ScenePicture, _ manifest: CorpusManifest, writer: CorpusWriter) throws {
    let optics = Optics()
    let exposure = Exposure(scene, size: size, optics: optics)
    let compressor = FrameCompressor()
    for index in 0..<frameCount {
      let (open, closed) = (position(Double(index)), position(Double(index) + optics.shutter))
      let position = Self.rounded(x: (open.x + closed.x) / 2, y: (open.y + closed.y) / 2)
      exposure.expose(
        x: position.x, y: position.y, travel: (closed.x - open.x, closed.y - open.y),
        seed: 1000 + UInt64(index))
      if let rect = manifest.timeCode { exposure.image.drawTimeCode(UInt32(index), in: rect) }
      for rect in manifest.fiducials { exposure.image.drawFiducial(in: rect) }
      let jpeg = try compressor.jpeg(exposure.image, quality: quality)
      let file = try writer.addFrame(jpeg, time: DrawnRecording.time(index), sequence: UInt32(index))
      writer.truth.views.append(.init(file: file, x: position.x, y: position.y))
    }
  }

  /// The position of the picture's top left corner in the scene, in pixels, at a time in frame intervals. The camera pans half of the way,
  /// pauses, and pans the other half. Meanwhile it rises and falls slightly.
  private func position(_ time: Double) -> (x: Double, y: Double) {
    let progress = time / Double(frameCount)
    let way =
      Turn.smoothStep(progress, from: 0.03, to: 0.47) + Turn.smoothStep(progress, from: 0.56, to: 0.97)
    let rise = Turn.smoothStep(progress, from: 0.1, to: 0.5) - Turn.smoothStep(progress, from: 0.5, to: 0.95)
    return (
      way / 2 * Double(sceneSize.width - size.width),
      Double(sceneSize.height - size.height) * (0.2 + 0.6 * rise)
    )
  }

  /// The position rounded to a 256th of a pixel, as the ground truth stores it.
  private static func rounded(x: Double, y: Double) -> (x: Double, y: Double) {
    ((x * 256).rounded() / 256, (y * 256).rounded() / 256)
  }
}
