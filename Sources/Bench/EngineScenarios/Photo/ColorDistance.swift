import Capture
import Imagery
import Probes
import System

/// The distance of the pixels of a surface from the exact conversion of the frame they show, in 8-bit levels.
struct ColorDistance {
  /// The greatest distance of any red, green or blue value.
  let worst: Double
  /// The distance that 99 of 100 values do not exceed.
  let high: Double

  /// - Parameters:
  ///   - shown: the picture that the preview has drawn on its surface.
  ///   - orientation: the turn from the stored pixels of `frame` to the surface.
  /// - Returns: nil if the surface does not have the size of the picture, or if the picture cannot be decoded.
  init?(_ shown: RGBSamples, of frame: PixelBuffer, turned orientation: Orientation) {
    guard let exact = try? ReferencePicture(exactly: frame).samples.turned(orientation),
      exact.size == shown.size
    else { return nil }
    var counts = [Int](repeating: 0, count: 256)
    for (shown, exact) in zip(shown.values, exact.values) { counts[Int(abs(shown - exact.rounded()))] += 1 }
    worst = Double(counts.lastIndex { $0 > 0 } ?? 0)
    var seen = 0
    let bin = counts.firstIndex { count in
      seen += count
      return seen * 100 >= shown.values.count * 99
    }
    high = Double(bin ?? 255)
  }
}

/// The colour distance of a presented picture.
struct ColorFinding: Sendable {
  let source: String
  let format: ImageFormat
  let orientation: Orientation
  let distance: ColorDistance

  var line: String {
    "\(source), \(format.pixelFormat.rawValue) \(format.color.matrix.rawValue) \(format.color.range.rawValue), "
      + "turned \(orientation): at most \(Int(distance.worst)) levels off, 99 % at most \(Int(distance.high))"
  }
}

/// Shows the pictures of a source without scaling, and measures their colours.
struct ColorPlay {
  let rig: Rig
  let source: any CameraSource
  /// Whether the source is played in virtual time, instead of at the device's own rate.
  let isPlayed: Bool

  /// - Parameter count: the number of pictures; fewer are returned if the source has no more.
  func findings(count: Int) async throws -> [ColorFinding] {
    let virtual = isPlayed ? VirtualClock() : nil
    let clock: any CaptureClock = virtual ?? SystemClock()
    let frames = DeliveredFrames(limit: 8)
    let findings = Locked<[ColorFinding]>([])
    let session = CaptureSession(source: frames.watching(source), configuration: .unattended, clock: clock)
    try await session.prewarm()
    guard let format = await session.format, let camera = await session.camera else { return [] }
    let surface = rig.makeSurface(
      size: camera.mount.orientation.applied(to: format.image.size), interval: format.frameInterval.duration,
      clock: clock)
    let name = source.specification
    await session.add(
      PreviewOutput(surface: surface, clock: clock) { picture in
        guard findings.withLock({ $0.count < count }), let frame = frames.image(picture.frame.sequence),
          let finding = Self.finding(name, picture, frame: frame)
        else { return }
        findings.withLock { $0.append(finding) }
      })
    try await session.ending {
      // Hurry the surface before the session ends: ending waits for the current picture.
      defer { surface.hurry() }
      try await session.start()
      if let virtual {
        await virtual.run(for: format.frameInterval.duration * (count + 2) + .milliseconds(200))
        try Task.checkCancellation()
      } else {
        try await wait { findings.withLock { $0.count >= count } }
      }
    }
    return findings.withLock { $0 }
  }

  private static func finding(_ source: String, _ picture: PresentedPicture, frame: PixelBuffer)
    -> ColorFinding?
  {
    guard let shown = try? ReferencePicture(exactly: picture.image).samples,
      let distance = ColorDistance(shown, of: frame, turned: picture.frame.orientation.preview)
    else { return nil }
    return ColorFinding(
      source: source, format: frame.format, orientation: picture.frame.orientation.preview, distance: distance
    )
  }

  /// Waits for at most five seconds.
  private func wait(until isDone: () -> Bool) async throws {
    let deadline = MonotonicTime.now() + .seconds(5)
    while !isDone(), MonotonicTime.now() < deadline { try await Task.sleep(for: .milliseconds(10)) }
  }
}
