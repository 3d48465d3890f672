import Capture
import Imagery

/// The picture of a frame as a video is to have it: cropped and brightened where the camera leaves that to its outputs, then with the
/// look. One thread at a time.
final class FramePainter {
  /// Of a kind that the renderer does not know itself.
  private let look: (any RecordingLook)?
  /// With a `ColorLookup`, which ten bits meet before they are cut to eight.
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()

  init(_ look: (any RecordingLook)?) {
    renderer.look = look as? ColorLookup
    self.look = renderer.look == nil ? look : nil
  }

  deinit { renderer.rest() }

  /// The frame's own pixels, where nothing is to be done to them, or a BGRA picture of the same size, stored alike.
  func picture(of frame: Frame) throws(ImageError) -> PixelBuffer {
    if look == nil, renderer.look == nil, try !frame.isLeftToOutputs() { return frame.image }
    let size = try PlaneConverter.storedSize(of: frame.image)
    let color = ColorDescription(matrix: .bt709, range: .full)
    let picture = try pool.makeBuffer(ImageFormat(pixelFormat: .bgra, size: size, color: color))
    renderer.exposureBias = frame.settings.digitalExposureBias
    try renderer.render(frame.image, orientation: .upright, zoom: frame.settings.digitalZoom, into: picture)
    try look?.apply(to: picture)
    return picture
  }
}

extension Frame {
  /// Whether the camera did not zoom, or not expose, as it was asked to, so that its outputs must crop or brighten the picture.
  func isLeftToOutputs() throws(ImageError) -> Bool {
    if settings.digitalExposureBias != 0 { return true }
    guard settings.digitalZoom > 1 else { return false }
    let size = try PlaneConverter.storedSize(of: image)
    // A factor that leaves out less than a pixel is none.
    let fill = AspectFill(source: size, orientation: .upright, surface: size, zoom: settings.digitalZoom)
    return fill.visibleSource.size != size
  }
}
