import CTurboJPEG
import Glibc

/// Planes → JPEG. One thread at a time.
final class JPEGEncoder {
  private let handle: tjhandle?

  init() { handle = tjInitCompress() }
  deinit { if let handle { tjDestroy(handle) } }

  /// - Parameters:
  ///   - image: BT.601 full range, planes from `Scratch.planar`; its spare edge samples are filled in here.
  ///   - quality: 1...100, the scale of libjpeg.
  ///   - orientation: written as EXIF when not upright, and with all metadata.
  ///   - effort: `speed` computes less exactly.
  func encode(
    _ image: PlanarImage, quality: Int, orientation: Orientation, metadata: PhotoMetadata? = nil,
    effort: PhotoPriority = .balanced
  ) throws(ImageError) -> [UInt8] {
    guard let handle else { throw .outOfMemory(bytes: 0) }
    image.repeatEdges()
    var bases: [UnsafePointer<UInt8>?] = image.planes.map { UnsafePointer($0.pointer) }
    var strides = image.planes.map { $0.stride }
    let (width, height) = (Int32(image.size.width), Int32(image.size.height))
    let exif = EXIF.application1(orientation, metadata, size: image.size)
    let bound = Int(tjBufSize(width, height, image.sampling.turboJPEG))
    var status: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: bound + exif.count) { buffer, count in
      var length = UInt(bound)
      // The codec writes behind the room that the EXIF segment will take.
      var start: UnsafeMutablePointer<UInt8>? = buffer.baseAddress! + exif.count
      status = tjCompressFromYUVPlanes(
        handle, &bases, width, &strides, height, image.sampling.turboJPEG, &start, &length, Int32(quality),
        TJFLAG_NOREALLOC | effort.turboJPEG)
      count = status == 0 ? Int(length) + exif.count : 0
      if status == 0 { EXIF.insert(exif, into: buffer) }
    }
    guard status == 0 else {
      throw .encodingFailed(format: "JPEG", reason: String(cString: tjGetErrorStr2(handle)))
    }
    return bytes
  }

  /// RGB pixels → BT.601 full-range planes in 4:4:4, by libjpeg's own colour transform (ITU-T T.871).
  func separate(
    _ pixels: Plane, _ size: PixelSize, _ format: PixelFormat, into scratch: Scratch
  ) throws(ImageError) -> PlanarImage {
    guard let handle else { throw .outOfMemory(bytes: 0) }
    let image = try scratch.planar(size, .s444, .jpeg)
    let layout = format == .rgba ? TJPF_RGBA : TJPF_BGRA
    let status = image.planes.withPointers { bases, strides in
      tjEncodeYUVPlanes(
        handle, pixels.pointer, Int32(size.width), pixels.stride, Int32(size.height), layout.turboJPEG, bases,
        strides, Int32(TJSAMP_444.rawValue), 0)
    }
    guard status == 0 else {
      throw .encodingFailed(format: "Y′CbCr", reason: String(cString: tjGetErrorStr2(handle)))
    }
    return image
  }
}

extension PlanarImage {
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
