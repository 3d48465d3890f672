import Capture
import Imagery
import Probes
import System

/// The distance of a picture with a look from the exact picture.
struct LookFinding: Sendable {
  /// An output path.
  enum Path: String, CaseIterable, Sendable { case preview, photo, recording }

  let path: Path
  let format: PixelFormat
  let look: String
  /// Greatest distance, in levels of 255.
  let worst: Double

  var line: String {
    "\(path.rawValue) of \(format.rawValue), \(look): at most \((worst * 100).rounded() / 100) levels off"
  }
}

/// One frame with one look on every output path.
struct LookPaths {
  let frame: PixelBuffer
  let look: ColorLookup
  let reference: ReferenceLook

  /// Returns the findings, without photos of 10-bit frames. Photos are converted through Y′CbCr, which costs a 10-bit frame more accuracy
  /// than the table does. A test covers photos of 10-bit frames.
  func findings() throws -> [LookFinding] {
    let shown = try [finding(.preview, preview), finding(.recording, recording)]
    return frame.format.pixelFormat.isWide ? shown : shown + [try finding(.photo, photo)]
  }

  /// - Parameter picture: makes a picture of the frame, with a look or without one.
  private func finding(
    _ path: LookFinding.Path, _ picture: (ColorLookup?) throws -> PixelBuffer
  ) throws -> LookFinding {
    let isWide = frame.format.pixelFormat.isWide
    let before = isWide ? frame : try picture(nil)
    let worst = LookDistance(try picture(look), from: before, by: reference).worst
    return LookFinding(path: path, format: frame.format.pixelFormat, look: reference.name, worst: worst)
  }

  /// Draws the frame through a preview output, as a session does.
  private func preview(_ look: ColorLookup?) throws -> PixelBuffer {
    let surface = OffscreenSurface(size: frame.format.size)
    let shown = Locked(false)
    let output = PreviewOutput(surface: surface) { _ in shown.withLock { $0 = true } }
    output.look = look
    try output.begin()
    output.receive(
      Frame(
        image: frame, sequence: 1, exposureTime: .now(), exposureEdge: .startOfExposure, arrivalTime: .now(),
        orientation: .upright))
    // Returns once the waiting picture is drawn.
    output.end()
    guard shown.withLock({ $0 }), let image = surface.image else {
      throw ReferenceError(
        description: "cannot judge the look \(reference.name) on a frame in "
          + "\(frame.format.pixelFormat.rawValue): the preview showed no picture; report this as a defect")
    }
    return image
  }

  /// Makes a PNG photo, because PNG is lossless.
  private func photo(_ look: ColorLookup?) throws -> PixelBuffer {
    var settings = PhotoSettings(longSide: nil, maximumBytes: nil, container: .png)
    settings.look = look
    let photo = try PhotoPipeline(damage: .refuse).process(frame, orientation: .upright, settings: settings)
    return try ImageFile.read(photo.bytes).image
  }

  private func recording(_ look: ColorLookup?) throws -> PixelBuffer {
    let pool = PixelBufferPool()
    guard let look else { return try ImageConverter(pool: pool).convert(frame, to: .bgra, color: .jpeg) }
    return try LookConverter(pool: pool).convert(frame, with: look, to: .bgra, color: .jpeg)
  }
}
