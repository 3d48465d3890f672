import Corpora
import Imagery
public import Recording
import System

extension RecordingFolder {
  /// A corpus, which `Replay` plays: the frames as the camera delivered them.
  public static let corpus = RecordingFolder {
    settings, path, first, format, interval throws(RecordingError) in
    try CorpusRecorder(settings, to: path, first: first, format: format, interval: interval)
  }
}

/// A recorder of a corpus: the frames as the camera delivered them, with their exposure times, the turns of the device, and the camera's settings.
final class CorpusRecorder: RecordingTrack {
  private let path: String
  private let writer: CorpusWriter
  private let format: ImageFormat
  private let mount: Orientation
  private let converter = ImageConverter(pool: PixelBufferPool())
  /// The angle of the device as last written. Nil before the first frame.
  private var held: Rotation?
  private var controls = FrameControls()
  private(set) var lostFrames = 0
  private var (bytes, lastTime): ([UInt8], Int64) = ([], -1)
  private(set) var byteCount: Int64 = 0

  /// - Parameter format: the format of the frames, with the size of their stored pixels.
  init(
    _ settings: RecordingSettings, to path: String, first: Frame, format: ImageFormat,
    interval: FrameInterval
  ) throws(RecordingError) {
    self.path = path
    self.format = format
    mount = settings.mount ?? first.orientation.capture
    let name = path.pathParts.last ?? path
    var manifest = CorpusManifest(
      name: name, title: "Recorded to \(name)", licence: "unknown: recorded, not to be passed on",
      madeBy: "swiftwing record", pixelFormat: format.pixelFormat, size: format.size, color: format.color,
      frameInterval: interval)
    manifest.mountAngle = mount.rotation
    manifest.isMirrored = mount.isMirrored
    do throws(CorpusError) { writer = try CorpusWriter(creating: path, manifest: manifest) } catch {
      throw Self.error(error, path)
    }
  }

  private static func error(_ error: CorpusError, _ path: String) -> RecordingError {
    RecordingError(
      error.isDiskFull ? .diskFull : .destination, "record to \(path)", reason: error.reason,
      remedy: error.remedy)
  }

  func append(_ frame: Frame, at time: Int64) throws(RecordingTrackError) {
    do throws(ImageError) { try pack(frame.image) } catch { throw .damaged(error) }
    let time = max(time, lastTime)
    do throws(CorpusError) {
      try note(frame.orientation.capture, at: time)
      for (name, value) in controls.changes(to: frame.settings) {
        try writer.add(CorpusEvent(time: time, kind: .control(name: name, value: value)))
      }
      let suffix = format.pixelFormat == .mjpeg ? "jpg" : "raw"
      if format.pixelFormat == .mjpeg {
        try writer.addFrame(
          frame.image.planes[0].bytes, suffix: suffix, time: time, sequence: frame.sequence)
        byteCount += Int64(frame.image.planes[0].byteCount)
      } else {
        try writer.addFrame(bytes, suffix: suffix, time: time, sequence: frame.sequence)
        byteCount += Int64(bytes.count)
      }
    } catch {
      throw .failed(Self.error(error, path))
    }
    lastTime = time
  }

  /// Writes an angle event before the first frame, and whenever the angle changes. When the corpus is played, the events give each frame its own
  /// angle.
  private func note(_ upright: Orientation, at time: Int64) throws(CorpusError) {
    let turn = Rotation(quarterTurns: upright.rotation.quarterTurns - mount.rotation.quarterTurns)
    let now = mount.isMirrored ? turn.inverse : turn
    guard now != held else { return }
    held = now
    try writer.add(CorpusEvent(time: time, kind: .angle(degrees: Double(now.rawValue))))
  }

  /// Packs the rows without a driver's padding. A corpus cannot express interlaced lines of two moments: the moment of the upper lines is kept.
  private func pack(_ image: PixelBuffer) throws(ImageError) {
    let image = try converter.convert(image, to: image.format.pixelFormat, color: image.format.color)
    guard try PlaneConverter.storedSize(of: image) == format.size else {
      throw .unsupported(
        what: "a picture of another size than \(format.size)", remedy: "start another recording")
    }
    guard !image.format.pixelFormat.isCompressed else { return }
    bytes.removeAll(keepingCapacity: true)
    bytes.reserveCapacity(format.frameByteCount)
    for (plane, tight) in zip(image.planes, try format.planeLayout()) {
      for row in 0..<tight.height {
        let start = plane.base + row * plane.bytesPerRow
        bytes += UnsafeRawBufferPointer(start: start, count: tight.bytesPerRow)
      }
    }
  }

  func finish() throws(RecordingError) {
    do throws(CorpusError) { try writer.finish() } catch {
      abandon()
      throw Self.error(error, path)
    }
  }

  /// Maximum number of frames that are given up to make room for the files that describe the others: a thousand lines of those are as large as one
  /// frame.
  private static let mostGivenUp = 1000

  /// Finishes the corpus, which needs its manifest. On a full disk, the last frames are given up to make room for it.
  func abandon() {
    while lostFrames <= Self.mostGivenUp {
      do throws(CorpusError) {
        try writer.finish()
        return
      } catch {
        guard error.isDiskFull, writer.removeLastFrame() else { return }
        lostFrames += 1
      }
    }
  }

  var hasReencoded: Bool { false }

  var facts: RecordingFacts {
    RecordingFacts(codec: nil, isCopied: true, size: format.size, orientation: mount)
  }
}
