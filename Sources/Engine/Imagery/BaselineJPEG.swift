import CBaselineJPEG
import System

/// Decodes baseline JPEG to planes in a third to four fifths of libjpeg-turbo's time. Its samples equal libjpeg-turbo's at full
/// size, and differ by at most one level at reduced sizes. It refuses doubtful pictures: damaged data, progressive pictures, rare sampling,
/// values so large that implementations differ. One thread at a time.
final class BaselineJPEG {
  enum Condition {
    /// On processors with the needed instructions, in optimised builds.
    case itIsFaster
    /// Always if possible, for tests of builds that are not optimised.
    case itIsThere
  }

  private let decoder: OpaquePointer
  private let workers: [OpaquePointer]
  private let threads: PhotoThreads
  private var refusals = 0
  private var pictures = 0

  /// - Parameters:
  ///   - isPlain: transforms in plain C, for comparison.
  ///   - threads: the threads that decode bands of pictures with restart markers.
  /// - Returns: nil if the processor lacks the needed instructions, if there is no memory, or if libjpeg-turbo would be faster.
  init?(when condition: Condition, isPlain: Bool = false, threads: PhotoThreads = PhotoThreads(.never)) {
    guard condition == .itIsThere || baseline_jpeg_is_fast() != 0,
      let decoder = baseline_jpeg_open(isPlain ? 1 : 0)
    else { return nil }
    self.decoder = decoder
    self.threads = threads
    workers = (0..<2).compactMap { _ in baseline_jpeg_open_worker() }
    if workers.count < 2 { return nil }
  }

  deinit {
    baseline_jpeg_close(decoder)
    for worker in workers { baseline_jpeg_close_worker(worker) }
  }

  /// - Returns: planes in `scratch`; nil for a doubtful picture, which libjpeg-turbo must decode.
  func decode(
    _ bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, eighths: Int, into scratch: Scratch
  ) throws(ImageError) -> PlanarImage? {
    guard isWorthTrying, let source = bytes.bindMemory(to: UInt8.self).baseAddress else { return nil }
    var shape = baseline_jpeg_shape()
    guard baseline_jpeg_read(decoder, source, bytes.count, &shape) == 0,
      header.size == PixelSize(width: Int(shape.width), height: Int(shape.height)),
      let sampling = ChromaSampling(shape)
    else { return nil }
    let eighths = Self.finest(eighths, header.size)
    let image = try scratch.planar(JPEGDecoder.scaled(header.size, eighths), sampling, color: .jpeg)
    let isDecoded = decode(into: image, eighths)
    refusals = isDecoded ? 0 : refusals + 1
    return isDecoded ? image : nil
  }

  /// The finest scale that gives the same size as `eighths`. For pictures below 8 × 8 several scales give one
  /// size; libjpeg-turbo gets the size, not the scale, and uses the finest.
  private static func finest(_ eighths: Int, _ size: PixelSize) -> Int {
    let wanted = JPEGDecoder.scaled(size, eighths)
    return (eighths...max(eighths, 8)).last { JPEGDecoder.scaled(size, $0) == wanted } ?? eighths
  }

  private func decode(into image: PlanarImage, _ eighths: Int) -> Bool {
    let isShared = threads.share(area: image.size.area, least: PhotoThreads.leastDecodedArea)
    let bands = image.planes.withPointers { bases, strides in
      let last = image.planes.count - 1
      var rows = (
        Int32(image.planes[0].height), Int32(image.planes[min(1, last)].height),
        Int32(image.planes[last].height)
      )
      return withUnsafePointer(to: &rows) { rows in
        rows.withMemoryRebound(to: Int32.self, capacity: 3) {
          baseline_jpeg_begin(decoder, Int32(eighths), bases, strides, $0, isShared ? Self.mostBands : 1)
        }
      }
    }
    // The one-band path allocates no memory, for the frames of a preview.
    if bands <= 1 { return bands == 1 && baseline_jpeg_decode_band(decoder, workers[0], 0) == 0 }
    let isRefused = Locked(false)
    threads.share(Int(bands), area: image.size.area, least: PhotoThreads.leastDecodedArea) { band, thread in
      guard !isRefused.withLock({ $0 }) else { return }
      guard baseline_jpeg_decode_band(decoder, workers[thread.rawValue], Int32(band)) != 0 else { return }
      isRefused.withLock { $0 = true }
    }
    return !isRefused.withLock { $0 }
  }

  private static let mostBands = Int32(BASELINE_JPEG_MOST_BANDS)

  /// Whether to try this decoder. Some cameras leave bytes behind the codes of every picture
  /// (https://github.com/libjpeg-turbo/libjpeg-turbo/issues/157): such a picture is refused only at its end,
  /// when the work is done. So after three refused pictures in a row, only one picture in 64 is tried.
  private var isWorthTrying: Bool {
    pictures &+= 1
    return refusals < 3 || pictures & 63 == 0
  }
}

extension ChromaSampling {
  fileprivate init?(_ shape: baseline_jpeg_shape) {
    switch (shape.components, shape.across, shape.down) {
    case (1, 1, 1): self = .monochrome
    case (3, 1, 1): self = .s444
    case (3, 2, 1): self = .s422
    case (3, 2, 2): self = .s420
    case (3, 1, 2): self = .s440
    case (3, 4, 1): self = .s411
    default: return nil
    }
  }
}
