import Charts
import Corpora
import Imagery
import System

/// `turn` and `turn-mirrored`: the device is turned once round its viewing axis while the scene stays upright. Its accelerometer is noisy and
/// late. The device waits for long at 135°, where an engine without hysteresis keeps changing its decision.
struct TurnOfDevice {
  var size = PixelSize(width: 640, height: 480)
  var mountAngle: Rotation
  var isMirrored: Bool
  var quality = 70
  /// The frame step: 1 makes every frame; a test makes every n-th.
  var everyFrame = 1

  private static let seconds = 6.0
  /// The interval of the accelerometer's readings: 20 ms.
  private static let sensorInterval: Int64 = 20_000_000

  /// The turns: their time in seconds, and their angle in degrees, clockwise as the user sees it.
  private static let turns: [(from: Double, to: Double, degrees: Double)] = [
    (0.7, 1.2, 90), (1.9, 2.2, 45), (2.9, 3.2, 45), (3.8, 4.3, 90), (4.9, 5.4, 90),
  ]

  /// The true attitude of the device in degrees, including the movements of a hand.
  static func attitude(_ seconds: Double) -> Double {
    var degrees = turns.reduce(0) { $0 + $1.degrees * Turn.smoothStep(seconds, from: $1.from, to: $1.to) }
    // The hand moves by five degrees to either side twice a second during the wait at 135°, and by less than one degree otherwise.
    let waiting =
      Turn.smoothStep(seconds, from: 2.15, to: 2.3) - Turn.smoothStep(seconds, from: 2.8, to: 2.95)
    degrees += Turn.sineAndCosine(seconds * 720).0 * (0.7 + 5.3 * waiting)
    return degrees < 0 ? degrees + 360 : degrees
  }

  func record(_ recording: DrawnRecording) throws {
    let title = isMirrored ? "A front camera, mirrored, turned once round" : "A device turned once round"
    var manifest = recording.manifest(
      title: title, size: size, mountAngle: mountAngle, isMirrored: isMirrored)
    let side = size.height * 3 / 10 / 6 * 6
    // The time code is inside the central square, which a square surface shows completely at any rotation.
    let (margin, square) = (size.width / 80, (size.width - size.height) / 2)
    manifest.timeCode = ChartRect(x: square + margin, y: margin, width: margin * 8, height: margin * 8)
    manifest.fiducials = [
      ChartRect(x: (size.width - side) / 2, y: (size.height - side) / 2, width: side, height: side)
    ]
    let writer = try recording.writer(manifest)
    try expose(draw(fiducial: side), manifest, writer: writer)
    try writer.finish(durationNanoseconds: Int64(Self.seconds * 1e9))
  }

  /// Draws two shelves with the fiducial mark in front of their middle, on a canvas that contains the picture at any rotation.
  private func draw(fiducial side: Int) -> ScenePicture {
    let extent = size.width * 5 / 4
    let canvas = Canvas(PixelSize(width: extent, height: extent))
    var librarian = Librarian(seed: 11)
    let shelves = [380.0, 780].map { board in
      DrawnShelf(left: 10, right: 790, board: board, row: 330, pileEvery: 9, librarian: &librarian)
    }
    cairoScaled(canvas, by: Double(extent) / 800) {
      ShelfPainter(canvas: canvas).paint(shelves, in: DrawnBox(x: 0, y: 0, width: 800, height: 800), seed: 12)
    }
    canvas.paintFiducial(centerX: Double(extent) / 2, centerY: Double(extent) / 2, side: Double(side))
    return ScenePicture(canvas).softened().softened()
  }

  private func expose(_ scene: ScenePicture, _ manifest: CorpusManifest, writer: CorpusWriter) throws {
    let exposure = Exposure(scene, size: size, optics: Optics())
    let compressor = FrameCompressor()
    let center = (x: Double(scene.size.width) / 2, y: Double(scene.size.height) / 2)
    var accelerometer = Accelerometer(interval: Self.sensorInterval)
    for index in stride(from: 0, to: Int(Self.seconds * 30), by: everyFrame) {
      let time = DrawnRecording.time(index)
      try accelerometer.report(until: time, to: writer)
      let attitude = Self.attitude(Double(time) / 1e9)
      // A camera that faces the user rotates in the opposite direction.
      let degrees = Double(mountAngle.rawValue) + (isMirrored ? -attitude : attitude)
      exposure.expose(center: center, degrees: degrees, isMirrored: isMirrored, seed: 3000 + UInt64(index))
      if let rect = manifest.timeCode { exposure.image.drawTimeCode(UInt32(index), in: rect) }
      let jpeg = try compressor.jpeg(exposure.image, quality: quality)
      let file = try writer.addFrame(jpeg, time: time, sequence: UInt32(index))
      writer.truth.views.append(
        .init(file: file, x: 0, y: 0, attitude: (attitude * 1000).rounded() / 1000))
    }
    try accelerometer.report(until: Int64(Self.seconds * 1e9), to: writer)
  }
}

/// A simulated accelerometer of a phone: late by one interval, with a degree and a half of noise.
struct Accelerometer {
  let interval: Int64
  private var next: Int64 = 0
  private var random = SplitMix64(seed: 77)

  init(interval: Int64) { self.interval = interval }

  /// Adds the readings before `time`.
  mutating func report(until time: Int64, to writer: CorpusWriter) throws(CorpusError) {
    while next <= time {
      let attitude = TurnOfDevice.attitude(Double(max(next - interval, 0)) / 1e9)
      let hundredths = Int(((attitude + 1.5 * random.normal()) * 100).rounded())
      let degrees = Double((hundredths + 36_000) % 36_000) / 100
      try writer.add(CorpusEvent(time: next, kind: .angle(degrees: degrees)))
      next += interval
    }
  }
}
