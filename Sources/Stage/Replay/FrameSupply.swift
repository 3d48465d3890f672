import Capture
import Corpora
import Imagery

/// The pictures of a corpus in the camera's format: as recorded, or converted before the stream starts, so that conversion does not affect
/// measurements.
struct FrameSupply {
  /// Maximum size of the converted frames in memory, in bytes: ten seconds of 1080p NV12 at 60 fps.
  static let memoryLimit = 2 << 30

  private let corpus: Corpus
  private let specification: String
  private let format: ImageFormat
  private let recorded: ImageFormat
  private let converter = ImageConverter(pool: PixelBufferPool(), damage: .refuse)
  private var converted: [String: PixelBuffer] = [:]

  /// - Parameter span: the part of the recording that is played, from its start; nil for all.
  init(
    corpus: Corpus, format: CameraFormat, specification: String, span: Duration? = nil
  ) throws(CameraError) {
    self.corpus = corpus
    self.format = format.image
    self.specification = specification
    recorded = corpus.manifest.imageFormat
    if format.image.pixelFormat != recorded.pixelFormat { try convertAll(span) }
  }

  /// Returns the picture of a frame.
  /// - Throws: `CameraError` if its file cannot be read, or is not a picture; playing may go on.
  func image(of frame: CorpusFrame) throws(CameraError) -> PixelBuffer {
    if let image = converted[frame.file] { return image }
    let image = try stored(frame)
    return image.format.pixelFormat == format.pixelFormat ? image : try convert(image, of: frame.file)
  }

  private mutating func convertAll(_ span: Duration?) throws(CameraError) {
    let track: CorpusTrack
    do throws(CorpusError) { track = try corpus.track() } catch { throw invalid(error) }
    var bytes = 0
    while true {
      let event: CorpusEvent?
      do throws(CorpusError) { event = try track.next() } catch { throw invalid(error) }
      guard let event else { return }
      if let span, .nanoseconds(event.time) >= span { return }
      guard case .frame(let frame) = event.kind, converted[frame.file] == nil else { continue }
      // Skip damaged frames here; playing them reports them.
      guard let image = try? convert(stored(frame), of: frame.file) else { continue }
      bytes += image.planes.reduce(0) { $0 + $1.byteCount }
      guard bytes <= FrameSupply.memoryLimit else {
        throw .invalidSource(
          specification,
          reason:
            "as \(format.pixelFormat.rawValue) it needs more than \(FrameSupply.memoryLimit >> 30) GB of memory; play it in its own format, \(recorded.pixelFormat.rawValue)"
        )
      }
      converted[frame.file] = image
    }
  }

  private func stored(_ frame: CorpusFrame) throws(CameraError) -> PixelBuffer {
    do throws(CorpusError) { return try corpus.image(frame) } catch {
      throw .invalidSource("\(specification)/\(frame.file)", reason: error.clause)
    }
  }

  private func convert(_ image: PixelBuffer, of file: String) throws(CameraError) -> PixelBuffer {
    do throws(ImageError) {
      return try converter.convert(image, to: format.pixelFormat, color: format.color)
    } catch {
      throw .invalidSource("\(specification)/\(file)", reason: "\(error)")
    }
  }

  private func invalid(_ error: CorpusError) -> CameraError {
    .invalidSource(specification, reason: error.clause)
  }
}
