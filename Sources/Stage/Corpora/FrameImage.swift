public import Imagery

extension Corpus {
  /// Returns a frame as the device would deliver it: JPEG compressed and unchecked, PNG decoded, raw pixels in place.
  /// Stills and PNG files are decoded or inspected for their sizes, and copied. Other frames are not copied.
  /// - Throws: `malformed` if the file is empty, or has fewer bytes than raw pixels need.
  public func image(_ frame: CorpusFrame) throws(CorpusError) -> PixelBuffer {
    let file = try self.frame(frame.file)
    switch frame.encoding {
    case .jpeg where manifest.isStills: return try ownImage(frame, file)
    case .jpeg:
      let format = ImageFormat(pixelFormat: .mjpeg, size: manifest.size, color: manifest.color)
      guard let image = file.compressedImage(format, byteCount: frame.byteCount) else {
        throw malformed(frame, "the file is empty")
      }
      return image
    case .png:
      do { return try ImageFile.read(file.bytes).image } catch {
        throw malformed(frame, error)
      }
    case .raw: return try rawImage(frame, file)
    }
  }

  /// Returns the picture with the format that the file itself states.
  private func ownImage(_ frame: CorpusFrame, _ file: CorpusFile) throws(CorpusError) -> PixelBuffer {
    do { return try ImageFile.read(file.bytes).image } catch { throw malformed(frame, error) }
  }

  private func rawImage(_ frame: CorpusFrame, _ file: CorpusFile) throws(CorpusError) -> PixelBuffer {
    let layout: [(bytesPerRow: Int, height: Int)]
    do { layout = try manifest.imageFormat.planeLayout() } catch { throw malformed(frame, error) }
    let needed = layout.reduce(0) { $0 + $1.bytesPerRow * $1.height }
    let have = min(frame.byteCount ?? file.byteCount, file.byteCount)
    guard !manifest.pixelFormat.isCompressed, have >= needed, let base = file.base else {
      throw malformed(
        frame, "it has \(have) bytes, and a \(manifest.pixelFormat.rawValue) frame has \(needed)")
    }
    var offset = 0
    let planes = layout.map { plane in
      defer { offset += plane.bytesPerRow * plane.height }
      return Plane(base: base + offset, bytesPerRow: plane.bytesPerRow, height: plane.height)
    }
    return PixelBuffer(format: manifest.imageFormat, planes: planes, lender: file)
  }

  /// The error for a picture that cannot be read, whose own sentence loses its full stop.
  private func malformed(_ frame: CorpusFrame, _ error: ImageError) -> CorpusError {
    malformed(frame, String(error.description.dropLast()))
  }

  private func malformed(_ frame: CorpusFrame, _ reason: String) -> CorpusError {
    CorpusError(
      .malformed, "use the frame \(directory)/\(frame.file)", reason: reason, remedy: "make the corpus again")
  }
}
