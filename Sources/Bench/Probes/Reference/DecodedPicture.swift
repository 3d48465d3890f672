import CTurboJPEG
package import Imagery
import System

/// A picture that cannot serve as reference.
package struct ReferenceError: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}

extension ReferencePicture {
  /// Decodes a finished file: JPEG by libjpeg-turbo directly to RGB, PNG by libpng.
  /// - Throws: `ReferenceError`, or `ImageError` for a damaged PNG.
  package init(file bytes: [UInt8]) throws {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      try self.init(exactly: ImageFile.read(bytes).image)
    } else {
      self = try bytes.withUnsafeBytes { try TurboJPEG().rgb($0) }
    }
  }

  /// Decodes a camera's frame with the colours of a normal decoder: the chroma of a JPEG picture is interpolated.
  package init(decoding image: PixelBuffer) throws {
    if image.format.pixelFormat.isCompressed {
      self = try withExtendedLifetime(image) { try TurboJPEG().rgb(image.planes[0].bytes) }
    } else {
      try self.init(exactly: image)
    }
  }

  /// Converts the exact codes of a frame in double precision. Those of a JPEG picture come from the planes of libjpeg-turbo.
  package init(exactly image: PixelBuffer) throws {
    if image.format.pixelFormat.isCompressed {
      self = try withExtendedLifetime(image) { try TurboJPEG().codes(image.planes[0].bytes) }
    } else if let coded = CodedPicture(image) {
      self.init(size: coded.size) { row, samples in
        withExtendedLifetime(image) { coded.fill(row, samples) }
      }
    } else {
      let sensor = SensorReference(image)
      self.init(size: image.format.size) { row, samples in
        withExtendedLifetime(image) { sensor.fill(row, samples) }
      }
    }
  }
}

/// libjpeg-turbo, used without the engine's decoder around it. Each object decodes one picture only, because it would keep the tables of a
/// picture for the next picture.
private final class TurboJPEG {
  private let handle = tjInitDecompress()

  deinit { tjDestroy(handle) }

  /// Decodes to red, green and blue at full size.
  func rgb(_ bytes: UnsafeRawBufferPointer) throws -> ReferencePicture {
    let (size, _) = try header(bytes)
    var pixels = [UInt8](repeating: 0, count: size.area * 3)
    try check(
      tjDecompress2(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &pixels, Int32(size.width),
        0,
        Int32(size.height), Int32(TJPF_RGB.rawValue), TJFLAG_ACCURATEDCT))
    return ReferencePicture(size: size, rgb: pixels)
  }

  /// Decodes the planes as stored, at full size, and converts them exactly.
  func codes(_ bytes: UnsafeRawBufferPointer) throws -> ReferencePicture {
    let (size, sampling) = try header(bytes)
    guard let (across, down) = Self.covered(sampling) else {
      throw ReferenceError(
        description:
          "cannot use a JPEG picture of chroma sampling \(sampling) as reference; name another source")
    }
    let planes = (0..<(across == 0 ? 1 : 3)).map { component in
      let width = Int(tjPlaneWidth(Int32(component), Int32(size.width), sampling))
      return MutablePlane(
        width: width, height: Int(tjPlaneHeight(Int32(component), Int32(size.height), sampling)))
    }
    var bases: [UnsafeMutablePointer<UInt8>?] = planes.map { $0.memory }
    try check(
      tjDecompressToYUVPlanes(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &bases, 0, nil, 0,
        TJFLAG_ACCURATEDCT))
    let chroma = across == 0 ? nil : (planes[1].samples(across, down), planes[2].samples(across, down))
    let coded = CodedPicture(size: size, luma: planes[0].samples(1, 1), chroma: chroma)
    return ReferencePicture(size: size) { row, samples in
      withExtendedLifetime(planes) { coded.fill(row, samples) }
    }
  }

  private func header(_ bytes: UnsafeRawBufferPointer) throws -> (PixelSize, sampling: Int32) {
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    try check(
      tjDecompressHeader3(
        handle, bytes.bindMemory(to: UInt8.self).baseAddress, UInt(bytes.count), &width, &height, &sampling,
        &space))
    let size = PixelSize(width: Int(width), height: Int(height))
    guard size.area > 0, size.area <= ImageLimits.area else {
      throw ReferenceError(
        description:
          "cannot use a JPEG picture of \(size) as reference; "
          + "name a source of 1 to \(ImageLimits.area) pixels")
    }
    return (size, sampling)
  }

  /// Returns the number of luma samples that a chroma sample covers. (0, 0) without chroma.
  private static func covered(_ sampling: Int32) -> (across: Int, down: Int)? {
    switch sampling {
    case tj_444: (1, 1)
    case tj_422: (2, 1)
    case tj_420: (2, 2)
    case tj_440: (1, 2)
    case tj_411: (4, 1)
    case tj_grey: (0, 0)
    default: nil
    }
  }

  private func check(_ status: Int32) throws {
    guard status != 0, !tj_warned_only(handle) else { return }
    let reason = String(cString: tjGetErrorStr2(handle))
    throw ReferenceError(
      description: "cannot use a JPEG picture as reference: \(reason); name another source")
  }
}

/// Memory for one plane.
private final class MutablePlane {
  let memory: UnsafeMutablePointer<UInt8>
  private let width: Int

  init(width: Int, height: Int) {
    self.width = width
    memory = .allocate(capacity: width * height)
    memory.initialize(repeating: 0, count: width * height)
  }

  deinit { memory.deallocate() }

  func samples(_ across: Int, _ down: Int) -> CodedPicture.Samples {
    CodedPicture.Samples(
      base: UnsafeRawPointer(memory), bytesPerRow: width, step: 1, across: across, down: down)
  }
}
