import CTurboJPEG

/// Transforms JPEG to JPEG without decoding: only moves the coefficients of its blocks, without rounding them again. So the picture has no loss from
/// a second encoding, and no forward or inverse transform is computed. Reads every code of the picture, so that
/// damage is noticed. Each picture gets a transformer of its own, because libjpeg keeps tables for a later picture that has none (``JPEGDecoder``).
enum JPEGTransform {
  /// The limit of pixels. All coefficients are in memory at once, two bytes for each sample, in two copies: about 100 MB for 16.8 megapixels.
  private static let largestArea = 16_777_216

  /// The picture with its blocks turned, without its metadata, and with Huffman tables if it had none.
  /// - Parameters:
  ///   - orientation: turns stored pixels upright; `upright` leaves the picture as it is.
  ///   - tag: written as EXIF, with `metadata`.
  /// - Returns: nil if this is not possible without a loss, or if the picture has a defect: decode it instead. A picture with incomplete
  ///   blocks at an edge that would become the left or upper one cannot be turned without a loss.
  static func apply(
    _ orientation: Orientation, to bytes: UnsafeRawBufferPointer, _ header: JPEGHeader, tag: Orientation,
    metadata: PhotoMetadata?
  ) -> [UInt8]? {
    let (bytes, header) = header.alone(in: bytes)
    guard header.size.area <= largestArea, header.avi1Polarity ?? 0 == 0, let handle = tjInitTransform()
    else { return nil }
    defer { tjDestroy(handle) }
    guard let sampling = sampling(handle, bytes) else { return nil }
    let size = orientation.applied(to: header.size)
    let turned = orientation.rotation.swapsAxes ? sampling.turned : sampling
    let exif = EXIF.application1(tag, metadata, size: size)
    let bound = Int(tjBufSize(Int32(size.width), Int32(size.height), turned.turboJPEG))
    var transform = tjtransform()
    transform.op = orientation.turboJPEG
    transform.options = Int32(TJXOPT_PERFECT | TJXOPT_COPYNONE)
    var isDone = false
    let result = [UInt8](unsafeUninitializedCapacity: bound + exif.count) { buffer, count in
      var length = UInt(bound)
      var start: UnsafeMutablePointer<UInt8>? = buffer.baseAddress! + exif.count
      let status = tjTransform(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), 1, &start, &length,
        &transform, TJFLAG_NOREALLOC | TJFLAG_LIMITSCANS)
      isDone = status == 0
      count = isDone ? Int(length) + exif.count : 0
      if isDone { EXIF.insert(exif, into: buffer) }
    }
    return isDone ? result : nil
  }

  /// The sampling of a picture that photos can have: luma with two chroma components, or luma alone.
  private static func sampling(_ handle: tjhandle, _ bytes: UnsafeRawBufferPointer) -> ChromaSampling? {
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(-1), Int32(-1))
    let status = tjDecompressHeader3(
      handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height, &sampling,
      &space)
    guard status == 0, space == TJCS_YCbCr.rawValue || space == TJCS_GRAY.rawValue else { return nil }
    return ChromaSampling(turboJPEG: sampling)
  }
}

extension Orientation {
  /// The operation: first mirrored, then turned. libjpeg's transposition is a mirror and a turn to the left.
  fileprivate var turboJPEG: Int32 {
    let operation =
      switch (rotation, isMirrored) {
      case (.none, false): TJXOP_NONE
      case (.clockwise90, false): TJXOP_ROT90
      case (.half, false): TJXOP_ROT180
      case (.clockwise270, false): TJXOP_ROT270
      case (.none, true): TJXOP_HFLIP
      case (.half, true): TJXOP_VFLIP
      case (.clockwise270, true): TJXOP_TRANSPOSE
      case (.clockwise90, true): TJXOP_TRANSVERSE
      }
    return Int32(bitPattern: operation.rawValue)
  }
}

extension ChromaSampling {
  /// The sampling after the axes are exchanged. 4:1:1 has no counterpart, so buffers are sized for the largest sampling.
  fileprivate var turned: ChromaSampling {
    switch self {
    case .s422: .s440
    case .s440: .s422
    case .s411: .s444
    default: self
    }
  }
}
