import Capture
import Harness
import Imagery
import Replay
import System

/// A single frame of a simulated camera.
struct SimulatedStill {
  let source: SimulatedSource

  func picture() async throws -> PixelBuffer {
    let camera = try source.makeCamera(clock: SystemClock())
    defer { camera.close() }
    let description = try camera.open()
    guard let format = description.formats.first else {
      throw Unsupported("the simulated camera offers no format")
    }
    _ = try camera.prepare(format)
    try camera.start()
    defer { camera.stop() }
    while true {
      let event = try camera.next(until: .distantFuture, wake: WakeSignal())
      if case .frame(let frame) = event { return frame.image }
    }
  }

  /// Renders the picture turned, at half its size.
  static func render(_ picture: PixelBuffer, _ orientation: Orientation) throws -> PixelBuffer {
    let upright = orientation.applied(to: picture.format.size)
    let size = PixelSize(width: upright.width / 2, height: upright.height / 2)
    let surface = try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .bgra, size: size, color: ColorDescription(matrix: .bt709, range: .full)))
    try PreviewRenderer().render(picture, orientation: orientation, into: surface)
    return surface
  }
}
