import Imagery

/// The picture of a scan as it leaves the machine: within the budget of the vision model (IMG-1, IMG-6).
enum UploadPicture {
  /// - Parameter bytes: a JPEG or PNG file of any size.
  /// - Returns: the file itself when it is within the budget, else a smaller one, upright.
  static func develop(_ bytes: [UInt8], _ settings: PhotoSettings) throws(ImageError) -> [UInt8] {
    let (image, orientation, _) = try ImageFile.read(bytes)
    let size = orientation.applied(to: image.format.size)
    let isSmall = try settings.targetSize(for: size) == size && bytes.count <= settings.maximumBytes ?? .max
    if isSmall, orientation == .upright { return bytes }
    return try PhotoPipeline().process(image, orientation: orientation, settings: settings).bytes
  }
}
