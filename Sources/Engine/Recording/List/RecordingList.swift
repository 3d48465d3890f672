import Glibc
public import Imagery
import System

/// The videos of a folder, for example for a page on which one is chosen.
public struct RecordingList: Sendable {
  /// A video, described from its file.
  public struct Entry: Sendable, Equatable {
    /// The path of the file.
    public let path: String
    /// The size of the file in bytes; 0 if its writer was killed before the first picture: then nothing else is known.
    public let byteCount: Int64
    /// The time of the file's last change, in seconds since 1970.
    public let modified: Double
    /// The size of the pictures as they are stored.
    public let size: PixelSize
    /// The orientation that makes the pictures upright; nil if the file requires something other than quarter-turns.
    public let orientation: Orientation?
    /// The codec as the file names it, such as `avc1`.
    public let codec: String
    /// The codec as recordings name it; nil if recordings never have it.
    public let recordingCodec: RecordingCodec?
    /// The number of playable frames.
    public let frameCount: Int
    /// The duration from the first frame to the end of the last.
    public let duration: Duration
    /// Whether the file is incomplete, because its writer was killed or its disk was full; the existing part is playable.
    public let isCut: Bool
    /// The path of the video's thumbnail; nil if there is none.
    public let thumbnailPath: String?
  }

  /// The videos, the newest first.
  public let entries: [Entry]
  /// One sentence for each file that is named like a video but is not readable as a recording.
  public let notes: [String]

  /// The largest number of file names to read.
  static let nameLimit = 1_000_000
  /// The largest number of unreadable files to open, in addition to the listed ones.
  static let unreadableLimit = 10_000

  /// Reads the files whose names end in `.mp4`, `.m4v` or `.mov`, without subfolders.
  /// - Parameter limit: the largest number of videos to list; the newest are listed. Listing a video reads some kilobytes for
  ///   each of its frames. Up to 10,000 unreadable files do not count. `notes` tells how many files are left out.
  /// - Throws: `destination` if the folder cannot be read.
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

  /// The files with a video's name, the newest first.
  private static func films(in folder: String) throws(RecordingError) -> [(path: String, modified: Double)] {
    let names: [String]
    do throws(SystemError) {
      names = try FolderNames.read(folder, limit: nameLimit) { name in
        if case .movie? = try? RecordingTarget(name) { !name.begins(exactly: ".") } else { false }
      }
    } catch {
      throw RecordingError(
        .destination, "list the recordings in \(folder)", reason: error.reason,
        remedy: "name a folder that is there and that you may read")
    }
    let files = names.map { name in
      var status = stat()
      let path = "\(folder)/\(name)"
      return (path: path, modified: lstat(path, &status) == 0 ? status.modified : 0)
    }
    return files.sorted { one, other in
      one.modified == other.modified ? other.path.comesBefore(one.path) : one.modified > other.modified
    }
  }

  /// The path of the thumbnail of a video: beside it, with the ending `.jpg`.
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

  /// Creates the entry of an empty file: its recorder was killed before the first picture. Nil for any other file.
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
  /// The time of the last change, in seconds since 1970.
  fileprivate var modified: Double { Double(st_mtim.tv_sec) + Double(st_mtim.tv_nsec) / 1e9 }
}
