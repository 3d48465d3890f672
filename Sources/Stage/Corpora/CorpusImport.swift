import Glibc
public import Imagery
import System

/// An import of pictures or a video from elsewhere into a corpus. Their bytes are kept wherever possible.
public struct CorpusImport: Sendable {
  /// The corpus folder to create.
  public var directory: String
  /// The licence of the corpus.
  public var licence: String
  /// Whether an existing corpus may be replaced.
  public var isReplacing: Bool

  /// Creates an import into the folder `directory`, whose last component becomes the name of the corpus.
  public init(
    to directory: String, licence: String = "unknown: imported, not to be passed on", replacing: Bool = false
  ) {
    self.directory = FolderTree.trimmed(directory)
    self.licence = licence
    isReplacing = replacing
  }

  /// The imported corpus, with a sentence for each picture that was left out or repaired.
  public struct Imported: Sendable {
    /// The new corpus, opened.
    public let corpus: Corpus
    /// A sentence for each picture that was left out or repaired.
    public let notes: [String]
  }

  /// Imports a folder of pictures or a video file.
  /// - Parameter frameInterval: for a folder: makes a recording with this interval, from pictures of equal size in the order of their names; nil
  ///   makes stills, one per second. A video has its own timestamps.
  public func importing(_ source: String, frameInterval: FrameInterval? = nil) throws(CorpusError) -> Imported
  {
    guard access(source, R_OK) == 0 else { throw .reading(source, errno) }
    if FolderTree.isFolder(source) || access("\(source)/.", F_OK) == 0 {
      return try pictures(in: source, frameInterval: frameInterval)
    }
    // Opening a pipe without a writer would block.
    do throws(RegularFile.Trouble) { close(try RegularFile.open(source).descriptor) } catch {
      throw CorpusError(
        .malformed, "import \(source)", reason: error.reason,
        remedy: "name a folder of pictures or a video file")
    }
    return try video(source)
  }

  /// Returns the last component of a path.
  static func name(_ path: String) -> String {
    path.pathParts.last ?? path
  }

  func manifest(_ source: String, _ pixelFormat: PixelFormat, size: PixelSize, interval: FrameInterval)
    -> CorpusManifest
  {
    CorpusManifest(
      name: Self.name(directory), title: "Imported from \(Self.name(source))", licence: licence,
      madeBy: "swiftwing corpus import \(Self.name(source))", pixelFormat: pixelFormat, size: size,
      color: .jpeg,
      frameInterval: interval)
  }
}

// Import of a folder of pictures.
extension CorpusImport {
  private struct Picture {
    let name: String
    let size: PixelSize
    let isJPEG: Bool
  }

  private func pictures(in folder: String, frameInterval: FrameInterval?) throws(CorpusError) -> Imported {
    let source = try CorpusDirectory(opening: folder)
    let (pictures, notes) = read(source)
    guard let first = pictures.first else {
      throw CorpusError(
        .notFound, "import \(folder)", reason: "the folder has no JPEG or PNG picture that can be read",
        remedy: "name a folder of pictures, or a video file")
    }
    if frameInterval != nil, let other = pictures.first(where: { $0.size != first.size }) {
      throw CorpusError(
        .malformed, "import \(folder) as a recording",
        reason:
          "the pictures differ in size: \(first.name) is \(first.size), and \(other.name) is \(other.size)",
        remedy: "give pictures of one size, or leave the frame rate out to import them as stills")
    }
    let largest = PixelSize(
      width: pictures.map(\.size.width).max() ?? 1, height: pictures.map(\.size.height).max() ?? 1)
    let interval = frameInterval ?? FrameInterval(numerator: 1, denominator: 1)
    var manifest = manifest(
      folder, pictures.contains(where: \.isJPEG) ? .mjpeg : .bgra, size: largest, interval: interval)
    manifest.isStills = frameInterval == nil
    let writer = try CorpusWriter(creating: directory, manifest: manifest, replacing: isReplacing)
    for (index, picture) in pictures.enumerated() {
      let bytes = try source.read(picture.name, limit: CorpusLimits.frameBytes).bytes
      try writer.addFrame(
        bytes, suffix: picture.isJPEG ? "jpg" : "png", time: Int64(index) * interval.nanoseconds,
        sequence: UInt32(index))
    }
    return Imported(corpus: try writer.finish(), notes: notes)
  }

  /// Returns the pictures of a folder by name, and the flaws of other files with a picture's extension.
  private func read(_ source: CorpusDirectory) -> ([Picture], [String]) {
    var (pictures, notes): ([Picture], [String]) = ([], [])
    for name in Corpus.names(in: source.path) where Self.claimsToBePicture(name) {
      do {
        let (image, _, remarks) = try ImageFile.read(source.read(name, limit: CorpusLimits.frameBytes).bytes)
        let isJPEG = image.format.pixelFormat == .mjpeg
        pictures.append(Picture(name: name, size: image.format.size, isJPEG: isJPEG))
        notes += remarks.map { "\(name): \($0)" }
      } catch { notes.append("\(name) is left out: \(error)") }
    }
    return (pictures, notes.map(CorpusError.printable))
  }

  private static func claimsToBePicture(_ name: String) -> Bool {
    let name = name.lowercased()
    return [".jpg", ".jpeg", ".png"].contains { name.hasSuffix($0) }
  }
}
