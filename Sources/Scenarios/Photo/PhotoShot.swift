import Capture
import Imagery

/// A photo, what it was made of, and how far it is from the same picture without compression.
struct PhotoShot: Sendable {
  let photo: CapturedPhoto
  let source: ImageFormat
  /// SSIM against the uncompressed picture of the same size, 0…1; nil where that was not made.
  let similarity: Double?

  /// IMG-1, written here anew: upright, long side at most 1024, aspect kept to the nearest pixel.
  var expectedSize: PixelSize {
    let upright = photo.frame.orientation.capture.applied(to: source.size)
    guard upright.longSide > 1024 else { return upright }
    func scaled(_ side: Int) -> Int { (side * 2048 + upright.longSide) / (2 * upright.longSide) }
    return PixelSize(width: max(1, scaled(upright.width)), height: max(1, scaled(upright.height)))
  }

  var isRightSize: Bool { photo.photo.size == expectedSize }

  func tokens(_ profile: String) -> Double {
    TokenProfile.named(profile).map { Double($0.tokens(for: photo.photo.size)) } ?? .nan
  }

  /// What the photo costs under every profile.
  var tokenTable: String {
    TokenProfile.all.map { profile in
      "\(profile.tokens(for: photo.photo.size)) tokens  \(profile.title) (\(profile.asOf), \(profile.source))"
    }.joined(separator: "\n")
  }
}

/// Plays a source as fast as photos can be taken of it.
struct PhotoPlay {
  let rig: Rig
  let bundled: String

  func shots(count: Int) async throws -> [PhotoShot] {
    let references = References()
    let output = rig.makePhotoOutput(clock: SystemClock(), references: references)
    let session = CaptureSession(source: try rig.source(orBundled: bundled), configuration: .unattended)
    await session.add(output)
    let photos = try await session.ending {
      try await session.start()
      return try await take(count, from: output, session)
    }
    return try photos.enumerated().map { index, photo in
      let reference = references.png(index)
      return PhotoShot(
        photo: photo, source: photo.frame.format,
        similarity: try reference.map { try similarity(photo.photo.bytes, $0) })
    }
  }

  private func take(
    _ count: Int, from output: PhotoOutput, _ session: CaptureSession
  ) async throws -> [CapturedPhoto] {
    var photos: [CapturedPhoto] = []
    for await state in await session.states() where state != .starting && state != .loading {
      guard state == .running else { break }
      while photos.count < count {
        try Task.checkCancellation()
        photos.append(try await session.capturePhoto(from: output))
      }
      break
    }
    return photos
  }

  private func similarity(_ photo: [UInt8], _ reference: [UInt8]) throws -> Double {
    let (seen, fine) = (try luma(of: photo), try luma(of: reference))
    return ImageQuality.ssim(seen, fine) ?? 0
  }

  private func luma(of bytes: [UInt8]) throws -> LumaImage {
    let grey = try ImageConverter(pool: PixelBufferPool())
      .convert(ImageFile.read(bytes).image, to: .grey, color: .jpeg)
    let (plane, size) = (grey.planes[0], grey.format.size)
    return withExtendedLifetime(grey) {
      let rows = (0..<size.height).flatMap { row in
        UnsafeRawBufferPointer(start: plane.base + row * plane.bytesPerRow, count: size.width)
      }
      return LumaImage(size: size, bytes: rows)
    }
  }
}
