import CTurboJPEG
import Glibc
import System

/// Encodes planes to JPEG. One thread at a time.
///
/// Large pictures are encoded in bands of MCU rows, with a restart marker (T.81, B.1.1.5) between two bands, so that two threads can encode them, and
/// later decode them. The positions of the markers depend on the size alone, so the file is the same with any number of threads.
final class JPEGEncoder {
  private let handles: [tjhandle]
  private let threads: PhotoThreads
  private let coded = Scratch()

  /// - Parameter threads: the threads that encode bands of large pictures.
  init(threads: PhotoThreads = PhotoThreads(.never)) {
    handles = (0..<2).compactMap { _ in tjInitCompress() }
    self.threads = threads
  }

  deinit { for handle in handles { tjDestroy(handle) } }

  /// - Parameters:
  ///   - image: BT.601 full range, planes from `Scratch.planar`; its spare edge samples are filled in here.
  ///   - quality: 1...100, libjpeg's scale.
  ///   - orientation: written as EXIF if it is not upright, or if there is metadata.
  ///   - effort: `speed` uses a less exact transform.
  func encode(
    _ image: PlanarImage, quality: Int, orientation: Orientation, metadata: PhotoMetadata? = nil,
    effort: PhotoPriority = .balanced
  ) throws(ImageError) -> [UInt8] {
    guard handles.count == 2 else { throw .outOfMemory(bytes: 0) }
    image.repeatEdges()
    let bands = CodedBands(image.size, image.sampling)
    let base = try coded.reserve(bands.room * bands.rows.count).assumingMemoryBound(to: UInt8.self)
    let results = Locked([Result<Int, ImageError>](repeating: .success(0), count: bands.rows.count))
    threads.share(bands.rows.count, area: image.size.area) { [handles] band, thread in
      let result = Self.encode(
        image.band(bands.rows[band]), quality, effort: effort, handle: handles[thread.rawValue],
        into: UnsafeMutableBufferPointer(start: base + band * bands.room, count: bands.room))
      results.withLock { $0[band] = result }
    }
    var pictures = [UnsafeRawBufferPointer]()
    for (band, result) in results.withLock({ $0 }).enumerated() {
      pictures.append(UnsafeRawBufferPointer(start: base + band * bands.room, count: try result.get()))
    }
    let exif = EXIF.application1(orientation, metadata, size: image.size)
    return try bands.joined(pictures, exif)
  }

  /// Encodes one band as a picture.
  /// - Returns: the number of bytes.
  private static func encode(
    _ image: PlanarImage, _ quality: Int, effort: PhotoPriority, handle: tjhandle,
    into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Result<Int, ImageError> {
    var length = UInt(buffer.count)
    var start = buffer.baseAddress
    let status = image.planes.withPointers { bases, strides in
      // The codec does not write to the planes.
      bases.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 3) {
        tjCompressFromYUVPlanes(
          handle, $0, Int32(image.size.width), strides, Int32(image.size.height), image.sampling.turboJPEG,
          &start, &length, Int32(quality), TJFLAG_NOREALLOC | effort.turboJPEG)
      }
    }
    guard status == 0 else {
      return .failure(.encodingFailed(format: "JPEG", reason: String(cString: tjGetErrorStr2(handle))))
    }
    return .success(Int(length))
  }

  /// Converts RGB pixels to BT.601 full-range planes in 4:4:4, with libjpeg's own colour transform (ITU-T T.871).
  func separate(
    _ pixels: Plane, _ size: PixelSize, format: PixelFormat, into scratch: Scratch
  ) throws(ImageError) -> PlanarImage {
    let image = try scratch.planar(size, .s444, color: .jpeg)
    try separate(pixels, size, format: format, into: image)
    return image
  }

  /// Converts RGB pixels to BT.601 full range in existing 4:4:4 planes.
  func separate(
    _ pixels: Plane, _ size: PixelSize, format: PixelFormat, into image: PlanarImage
  ) throws(ImageError) {
    guard let handle = handles.first else { throw .outOfMemory(bytes: 0) }
    let layout = format == .rgba ? TJPF_RGBA : TJPF_BGRA
    let status = image.planes.withPointers { bases, strides in
      tjEncodeYUVPlanes(
        handle, pixels.pointer, Int32(size.width), pixels.stride, Int32(size.height), layout.turboJPEG, bases,
        strides, Int32(TJSAMP_444.rawValue), 0)
    }
    guard status == 0 else {
      throw .encodingFailed(format: "Y′CbCr", reason: String(cString: tjGetErrorStr2(handle)))
    }
  }
}

extension PlanarImage {
  /// A picture of some rows of this one. The first row must also be the first row of a chroma sample.
  fileprivate func band(_ rows: Range<Int>) -> PlanarImage {
    var band = self
    band.size.height = rows.count
    for index in planes.indices {
      let row = index == 0 ? rows.lowerBound : rows.lowerBound / sampling.vertical
      band.planes[index] = planes[index].from(row: row, byte: 0)
    }
    return band
  }

  /// Fills the spare luma column and row of odd sizes, which JPEG's whole chroma samples cover.
  func repeatEdges() {
    let luma = planes[0]
    if size.width % sampling.horizontal != 0 {
      let padded = size.width.aligned(to: sampling.horizontal)
      for row in 0..<size.height {
        let line = luma.row(row)
        for x in size.width..<padded { line[x] = line[size.width - 1] }
      }
    }
    if size.height % sampling.vertical != 0 {
      memcpy(luma.row(size.height), luma.row(size.height - 1), luma.bytesPerRow)
    }
  }
}
