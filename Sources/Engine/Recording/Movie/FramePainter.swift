import Imagery

/// Prepares the picture of a frame for a video: cropped and brightened if the camera leaves that to its outputs, then with the
/// look. One thread at a time.
final class FramePainter {
  /// A look that the renderer does not support itself.
  private let look: (any RecordingLook)?
  /// Applies a `ColorLookup`, to 10-bit pictures before they are reduced to 8 bits.
  private let renderer = PreviewRenderer()
  private let pool = PixelBufferPool()

  init(_ look: (any RecordingLook)?) {
    renderer.look = look as? ColorLookup
    self.look = renderer.look == nil ? look : nil
  }

  deinit { renderer.rest() }

  /// The frame's own pixels if nothing is to be done; otherwise a BGRA picture of the same size and orientation.
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
  /// Whether the camera could not zoom or expose as requested, so that its outputs must crop or brighten the picture.
  func isLeftToOutputs() throws(ImageError) -> Bool {
    if settings.digitalExposureBias != 0 { return true }
    guard settings.digitalZoom > 1 else { return false }
    let size = try PlaneConverter.storedSize(of: image)
    // A factor that crops less than a pixel does not count.
    let fill = AspectFill(source: size, orientation: .upright, surface: size, zoom: settings.digitalZoom)
    return fill.visibleSource.size != size
  }
}
