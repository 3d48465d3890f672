import Glibc
public import Imagery
import System

/// The videos of a folder, such as a page shows to choose one from.
public struct RecordingList: Sendable {
  /// One of them, as its file says it.
  public struct Entry: Sendable, Equatable {
    /// Of the file.
    public let path: String
    /// Bytes of the file; 0 where its writer was killed before the first picture: of such a file nothing else is known.
    public let byteCount: Int64
    /// When it was last written to, in seconds since 1970.
    public let modified: Double
    /// Of the pictures as they are stored.
    public let size: PixelSize
    /// What makes them upright; nil where the file asks for something else than quarter-turns.
    public let orientation: Orientation?
    /// How the pictures are compressed, by the name that the file has for it, such as `avc1`.
    public let codec: String
    /// The same as recordings name it; nil for what they never have.
    public let recordingCodec: RecordingCodec?
    /// Frames that can be played.
    public let frameCount: Int
    /// From the first frame to the end of the last.
    public let duration: Duration
    /// Whether its writer was killed, or its disk full; what is there can be played.
    public let isCut: Bool
    /// Its thumbnail, where there is one.
    public let thumbnailPath: String?
  }

  /// The newest first.
  public let entries: [Entry]
  /// One sentence for each file that is named like a video and cannot be read as one of ours.
  public let notes: [String]

  /// Files whose names are looked at.
  static let nameLimit = 1_000_000
  /// Files that are looked into in vain, beside those that are listed.
  static let unreadableLimit = 10_000

  /// Reads the files whose names end in `.mp4`, `.m4v` or `.mov`; folders inside are not looked into.
  /// - Parameter limit: how many videos are listed, the newest of them; each takes a read of some kilobytes for every frame. What cannot be read
  ///   counts for nothing, up to 10,000 files. `notes` says how many are left out.
  /// - Throws: `destination` where the folder cannot be read.
  public init(folder: String, limit: Int = 10_000) throws(RecordingError) {
    var files = try Self.films(in: folder)[...]
    var (entries, notes): ([Entry], [String]) = ([], [])
    while entries.count < limit, notes.count < Self.unreadableLimit, let file = files.popFirst() {
      do throws(RecordingError) { entries.append(try Entry(file.path)) } catch { notes.append("\(error)") }
    }
    self.entries = entries.sorted { ($0.modified, $0.path) > ($1.modified, $1.path) }
    let older = files.count
    self.notes = notes.sorted() + (older > 0 ? ["\(older) older videos of \(folder) were not read."] : [])
  }

  /// What is named like a video, the newest first.
  private static func films(in folder: String) throws(RecordingError) -> [(path: String, modified: Double)] {
    guard let stream = opendir(folder) else {
      throw RecordingError(
        .destination, "list the recordings in \(folder)", reason: String(cString: strerror(errno)),
        remedy: "name a folder that is there and that you may read")
    }
    defer { closedir(stream) }
    var files: [(path: String, modified: Double)] = []
    while let item = readdir(stream), files.count < nameLimit {
      let name = withUnsafeBytes(of: &item.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard case .movie? = try? RecordingTarget(name), !name.begins(exactly: ".") else { continue }
      let path = "\(folder)/\(name)"
      var status = stat()
      files.append((path, lstat(path, &status) == 0 ? status.modified : 0))
    }
    return files.sorted { one, other in
      one.modified == other.modified ? other.path.comesBefore(one.path) : one.modified > other.modified
    }
  }

  /// Where the thumbnail of a video lies: beside it, with `.jpg` for its ending.
  static func thumbnail(of path: String) -> String {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return path + ".jpg" }
    return String(decoding: path.utf8[..<dot], as: UTF8.self) + ".jpg"
  }
}

extension RecordingList.Entry {
  /// - Throws: `malformed`.
  init(_ path: String) throws(RecordingError) {
    if let empty = Self(empty: path) {
      self = empty
      return
    }
    let facts = try MovieFacts(path, keepsFrames: false)
    var status = stat()
    _ = stat(path, &status)
    let thumbnail = RecordingList.thumbnail(of: path)
    self.path = path
    byteCount = Int64(status.st_size)
    modified = status.modified
    size = facts.size
    orientation = facts.orientation
    codec = facts.codec
    recordingCodec = facts.recordingCodec
    frameCount = facts.frameCount
    duration = .nanoseconds(facts.duration)
    isCut = facts.isCut
    thumbnailPath = access(thumbnail, F_OK) == 0 ? thumbnail : nil
  }

  /// A file without a byte: its recorder was killed before the first picture. Nil for any other.
  private init?(empty path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0 else {
      return nil
    }
    self.path = path
    byteCount = 0
    modified = status.modified
    size = PixelSize(width: 0, height: 0)
    orientation = .upright
    codec = ""
    recordingCodec = nil
    frameCount = 0
    duration = .zero
    isCut = true
    thumbnailPath = nil
  }
}

extension stat {
  /// When the file was last written to, in seconds since 1970.
  fileprivate var modified: Double { Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9 }
}
