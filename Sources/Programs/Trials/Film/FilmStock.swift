import Corpora
import Glibc
import Imagery
import System

/// The recorded pictures of a trial: half a second of Motion JPEG at 1080p and 30 frames a second, played in a loop. Each picture
/// is a ramp with noise, so that it is as large as a camera's.
enum FilmStock {
  static let size = PixelSize(width: 1920, height: 1080)
  static let interval = FrameInterval(framesPerSecond: 30)
  private static let frames = 15

  /// Makes the corpus.
  /// - Parameter folder: the folder to create for the corpus.
  static func make(in folder: String) throws -> Corpus {
    let manifest = CorpusManifest(
      name: "film", title: "Noise at 1080p", licence: "Apache-2.0", madeBy: "swiftwing trial film",
      pixelFormat: .mjpeg, size: size, color: .jpeg, frameInterval: interval)
    let writer = try CorpusWriter(creating: folder, manifest: manifest)
    let (pipeline, pool) = (PhotoPipeline(), PixelBufferPool())
    let settings = PhotoSettings(
      longSide: nil, maximumLongSide: size.longSide, quality: 80, maximumBytes: nil)
    var random = SplitMix64(seed: 30)
    for number in 0..<frames {
      let picture = try pool.makeBuffer(ImageFormat(pixelFormat: .nv12, size: size, color: .jpeg))
      paint(picture, number, random: &random)
      let photo = try pipeline.process(picture, orientation: .upright, settings: settings)
      try writer.addFrame(
        photo.bytes, time: Int64(number) * interval.nanoseconds, sequence: UInt32(number))
    }
    return try writer.finish()
  }

  private static func paint(_ picture: PixelBuffer, _ number: Int, random: inout SplitMix64) {
    let luma = picture.planes[0]
    for row in 0..<size.height {
      let bytes = (luma.base + row * luma.bytesPerRow).assumingMemoryBound(to: UInt8.self)
      for column in stride(from: 0, to: size.width, by: 8) {
        // One random number gives four bits of noise for each of eight pixels.
        let noise = random.next()
        for place in 0..<min(8, size.width - column) {
          let ramp = (column + place + row + number * 8) / 16 % 200
          bytes[column + place] = UInt8(ramp + 24 + Int(noise >> UInt64(place * 8) & 15))
        }
      }
    }
    memset(picture.planes[1].base, 128, picture.planes[1].byteCount)
  }
}
