import Charts
import Corpora
public import Imagery

/// The pictures for the benchmarks. They come from the bundled corpora, because a codec's cost depends on realistic detail.
///
/// `@unchecked Sendable`: pixel buffers are only read after they are made, and all other properties are values.
public struct Subjects: @unchecked Sendable {
  /// A 4000×3000 JPEG picture, as a stills camera stores it.
  public let jpeg12MP: PixelBuffer
  /// The picture of `jpeg12MP` as 4000×3000 NV12, BT.601 limited.
  public let nv12MP12: PixelBuffer
  /// The middle of `nv12MP12`, as 1920×1080 NV12, BT.709 limited.
  public let nv12HD: PixelBuffer
  /// The picture of `nv12HD` as a frame of MJPEG at quality 85.
  public let mjpegHD: PixelBuffer
  /// A frame of the corpus `shelf-pan`, 1280×720 NV12, with its time code.
  public let coded: PixelBuffer
  public let code: ChartRect
  /// The path of the corpus `shelf-pan`.
  public let corpusDirectory: String

  /// Makes the pictures.
  /// - Parameter directory: the folder of the bundled corpora.
  public init(corpora directory: String) throws {
    let still = try Corpus(opening: "\(directory)/stills-12mp").frame("frames/000002.jpg")
    jpeg12MP = try ImageFile.read(still.bytes).image
    let limited = ColorDescription(matrix: .bt601, range: .limited)
    let converter = ImageConverter(pool: PixelBufferPool())
    nv12MP12 = try converter.convert(jpeg12MP, to: .nv12, color: limited)
    nv12HD = try Self.middle(of: nv12MP12, PixelSize(width: 1920, height: 1080))
    let settings = PhotoSettings(longSide: nil, quality: 85, maximumBytes: nil)
    let frame = try PhotoPipeline().process(nv12HD, orientation: .upright, settings: settings)
    mjpegHD = try ImageFile.read(frame.bytes).image

    corpusDirectory = "\(directory)/shelf-pan"
    let pan = try Corpus(opening: corpusDirectory)
    let first = try ImageFile.read(pan.frame("frames/000001.jpg").bytes).image
    coded = try converter.convert(first, to: .nv12, color: limited)
    guard let code = pan.manifest.timeCode else { throw SubjectError(text: "shelf-pan has no time-code") }
    self.code = code
  }

  public struct SubjectError: Error, CustomStringConvertible {
    let text: String
    public var description: String { text }
  }

  private static func middle(of image: PixelBuffer, _ size: PixelSize) throws -> PixelBuffer {
    let format = ImageFormat(
      pixelFormat: .nv12, size: size, color: ColorDescription(matrix: .bt709, range: .limited))
    let left = (image.format.size.width - size.width) / 2 & ~1
    let top = (image.format.size.height - size.height) / 2 & ~1
    let result = try PixelBufferPool().makeBuffer(format)
    for (index, (from, to)) in zip(image.planes, result.planes).enumerated() {
      let rows = index == 0 ? size.height : size.height / 2
      let skipped = index == 0 ? top : top / 2
      for row in 0..<rows {
        let source = from.base + (skipped + row) * from.bytesPerRow + left
        (to.base + row * to.bytesPerRow).copyMemory(from: source, byteCount: size.width)
      }
    }
    return result
  }

  /// Returns an RGBA surface of this size.
  public static func surface(_ width: Int, _ height: Int) throws -> PixelBuffer {
    try PixelBufferPool().makeBuffer(
      ImageFormat(pixelFormat: .rgba, size: PixelSize(width: width, height: height), color: .jpeg))
  }
}
