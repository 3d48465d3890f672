import Glibc
public import Imagery
import System

/// Makes corpora of pictures and videos from elsewhere. Their bytes stay as they are wherever that is possible.
public struct CorpusImport: Sendable {
  /// The corpus folder to make.
  public var directory: String
  /// Who may do what with it.
  public var licence: String
  /// Whether a corpus that is there already may be replaced.
  public var isReplacing: Bool

  /// An import into the folder `directory`, whose last part becomes the corpus's name.
  public init(
    to directory: String, licence: String = "unknown: imported, not to be passed on", replacing: Bool = false
  ) {
    self.directory = FolderTree.trimmed(directory)
    self.licence = licence
    isReplacing = replacing
  }

  /// What came of it: the corpus, and one sentence for each thing that was left out or mended.
  public struct Imported: Sendable {
    /// What was made, opened again.
    public let corpus: Corpus
    /// One sentence for each picture left out or mended.
    public let notes: [String]
  }

  /// Imports a folder of pictures or a video file.
  /// - Parameter frameInterval: for a folder: makes a recording of that pace, all of whose pictures must be of one size,
  ///   in the order of their names; nil makes stills, one a second. A video has its own time stamps.
  public func importing(_ source: String, frameInterval: FrameInterval? = nil) throws(CorpusError) -> Imported
  {
    guard access(source, R_OK) == 0 else { throw .reading(source, errno) }
    if FolderTree.isFolder(source) || access("\(source)/.", F_OK) == 0 {
      return try pictures(in: source, frameInterval: frameInterval)
    }
    // A pipe that nobody writes to would be waited for.
    do throws(RegularFile.Trouble) { close(try RegularFile.open(source).descriptor) } catch {
      throw CorpusError(
        .malformed, "import \(source)", reason: error.reason,
        remedy: "name a folder of pictures or a video file")
    }
    return try video(source)
  }

  /// The last part of a path.
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

// A folder of pictures.
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
        .notFound, "import \(folder)", reason: "there is no JPEG or PNG picture in it that can be read",
        remedy: "give a folder of pictures")
    }
    if frameInterval != nil, let other = pictures.first(where: { $0.size != first.size }) {
      throw CorpusError(
        .malformed, "import \(folder) as a recording",
        reason: "\(first.name) is \(first.size) and \(other.name) is \(other.size)",
        remedy: "give pictures of one size, or no frame rate to make stills")
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

  /// The pictures of a folder by name, and what is wrong with the others that claim to be some.
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
