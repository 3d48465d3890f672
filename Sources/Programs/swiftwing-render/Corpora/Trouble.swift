import Charts
import Corpora
import Imagery
import System

/// `trouble`: all faults of a camera, one after another.
struct Trouble {
  var size = PixelSize(width: 640, height: 480)
  var quality = 62

  /// The steps of the device, frame by frame.
  private enum Step {
    case good(Int)
    /// Frames that are cut off: each at this percentage of its length.
    case short([Int])
    case corrupt
    case gap(Int)
    case stall(frames: Int)
    case interruption(frames: Int)
    case unplug(frames: Int)
  }

  private static let script: [Step] = [
    .good(30), .short([40, 0]), .good(28), .corrupt, .good(29), .gap(5), .good(25), .stall(frames: 45),
    .good(30),
    .interruption(frames: 30), .good(30), .unplug(frames: 21), .good(45),
  ]

  func record(_ recording: DrawnRecording) throws {
    var manifest = recording.manifest(title: "A camera with every kind of trouble", size: size)
    manifest.timeCode = ChartRect(x: 8, y: 8, width: 64, height: 64)
    manifest.fiducials = [ChartRect(x: size.width - 80, y: 8, width: 72, height: 72)]
    let writer = try recording.writer(manifest)
    var reel = Reel(scene: draw(), size: size, quality: quality, manifest: manifest, writer: writer)
    for step in Self.script { try perform(step, &reel) }
    try writer.finish(durationNanoseconds: DrawnRecording.time(reel.clock))
  }

  private func perform(_ step: Step, _ reel: inout Reel) throws {
    switch step {
    case .good(let count): for _ in 0..<count { _ = try reel.add { $0 } }
    case .short(let percents):
      for percent in percents { try reel.addBad(.shortFrame) { Array($0.prefix($0.count * percent / 100)) } }
    case .corrupt: try reel.addBad(.corruptFrame, Self.corrupted)
    case .gap(let count): reel.lose(count)
    case .stall(let frames):
      try reel.pause(
        .stall, frames, began: .stall(durationNanoseconds: DrawnRecording.time(frames)), ended: nil)
    case .interruption(let frames):
      try reel.pause(
        .interruption, frames, began: .interruption(reason: "deviceInUse", phase: .began),
        ended: .interruption(reason: "deviceInUse", phase: .ended))
    case .unplug(let frames):
      try reel.pause(.unplug, frames, began: .unplug, ended: .replug)
      // To the kernel this is a new device: its count starts again, at a number that no frame before had.
      reel.sequence = 1000
    }
  }

  /// The JPEG with the rest of its header overwritten, beginning at the frame's dimensions, like by a misdirected DMA.
  private static func corrupted(_ jpeg: [UInt8]) -> [UInt8] {
    var random = SplitMix64(seed: 99)
    var bytes = jpeg
    for index in 20..<min(700, bytes.count) { bytes[index] = UInt8(random.next() >> 56) }
    return bytes
  }

  private func draw() -> ScenePicture {
    let extent = PixelSize(width: size.width * 5 / 4, height: size.height)
    let canvas = Canvas(extent)
    var librarian = Librarian(seed: 31)
    let shelf = DrawnShelf(left: 20, right: 780, board: 440, row: 310, pileEvery: 8, librarian: &librarian)
    cairoScaled(canvas, by: Double(extent.width) / 800) {
      ShelfPainter(canvas: canvas).paint([shelf], in: DrawnBox(x: 0, y: 0, width: 800, height: 480), seed: 32)
    }
    return ScenePicture(canvas).softened()
  }
}

/// The frames of a track that is being made, with its clock and the device's sequence number.
private struct Reel {
  let exposure: Exposure
  let optics = Optics(fallOff: 0.2)
  let compressor = FrameCompressor()
  let quality: Int
  let manifest: CorpusManifest
  let writer: CorpusWriter
  /// The number of frame intervals since the track began.
  var clock = 0
  var sequence: UInt32 = 0

  init(scene: ScenePicture, size: PixelSize, quality: Int, manifest: CorpusManifest, writer: CorpusWriter) {
    exposure = Exposure(scene, size: size, optics: optics)
    self.quality = quality
    self.manifest = manifest
    self.writer = writer
  }

  mutating func add(_ change: ([UInt8]) -> [UInt8]) throws -> String {
    let (open, closed) = (drift(Double(clock)), drift(Double(clock) + optics.shutter))
    exposure.expose(x: (open + closed) / 2, y: 0, travel: (closed - open, 0), seed: 7000 + UInt64(clock))
    if let rect = manifest.timeCode { exposure.image.drawTimeCode(sequence, in: rect) }
    for rect in manifest.fiducials { exposure.image.drawFiducial(in: rect) }
    let bytes = change(try compressor.jpeg(exposure.image, quality: quality))
    let file = try writer.addFrame(bytes, time: DrawnRecording.time(clock), sequence: sequence)
    clock += 1
    sequence += 1
    return file
  }

  /// The drift of the scene in pixels, at a time in frame intervals.
  private func drift(_ time: Double) -> Double {
    Turn.smoothStep(time, from: 0, to: 330) * Double(exposure.image.size.width) / 4
  }

  mutating func addBad(_ kind: CorpusTruth.Fault.Kind, _ change: ([UInt8]) -> [UInt8]) throws {
    let time = DrawnRecording.time(clock)
    let file = try add(change)
    writer.truth.faults.append(.init(kind: kind, time: time, file: file, lostFrames: 1))
  }

  /// Adds frames that the device counts but that never arrive.
  mutating func lose(_ count: Int) {
    writer.truth.faults.append(
      .init(
        kind: .sequenceGap, time: DrawnRecording.time(clock), durationNanoseconds: DrawnRecording.time(count),
        lostFrames: count))
    clock += count
    sequence += UInt32(count)
  }

  /// Adds a pause in which no frames arrive and the device does not count.
  mutating func pause(
    _ kind: CorpusTruth.Fault.Kind, _ frames: Int, began: CorpusEvent.Kind, ended: CorpusEvent.Kind?
  ) throws {
    let start = DrawnRecording.time(clock)
    try writer.add(CorpusEvent(time: start, kind: began))
    writer.truth.faults.append(
      .init(kind: kind, time: start, durationNanoseconds: DrawnRecording.time(frames), lostFrames: frames))
    clock += frames
    if let ended { try writer.add(CorpusEvent(time: DrawnRecording.time(clock), kind: ended)) }
  }
}
