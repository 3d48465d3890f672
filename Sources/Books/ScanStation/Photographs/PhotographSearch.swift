import FoundationEssentials
import Glibc

/// The photographs found under given names of files and folders, and counts of what was skipped.
///
/// Folders are searched recursively, in the order in which a person sorts names. JPEG and PNG files are recognised by their first bytes, not by
/// their names. Links in folders are not followed, so a search stays within the folder and ends.
public struct PhotographSearch: Sendable, Equatable {
  /// The maximum number of photographs of a search.
  public static let limit = 100_000
  /// The maximum depth of nested folders.
  static let depthLimit = 64

  /// The photographs, in the order of the names. A file that is named twice is listed once.
  public private(set) var photographs: [Photograph] = []
  /// The number of files and folders whose names begin with a dot.
  public private(set) var hidden = 0
  /// The number of files that are neither JPEG nor PNG, and of entries that are not files.
  public private(set) var others = 0
  /// The number of symbolic links in folders.
  public private(set) var links = 0
  /// Folders that cannot be opened or lie too deep, and files in folders that cannot be opened.
  public private(set) var unreadable: [String] = []
  /// Whether there were more photographs than the limit; the rest was left out.
  public private(set) var isCut = false

  private var seen: Set<FileName> = []

  private struct FileName: Hashable {
    var device: dev_t
    var node: ino_t
  }

  /// - Parameter names: files and folders. A named file is included even if it is hidden, a link, not a picture or missing: reading it reports
  ///   the error.
  public init(_ names: [String]) {
    for name in names {
      var status = stat()
      guard stat(name, &status) == 0 else {
        add(Photograph(path: name, bytes: 0), nil)
        continue
      }
      if status.st_mode & S_IFMT == S_IFDIR {
        search(Self.trimmed(name), in: Self.trimmed(name), depth: 0)
      } else {
        add(Photograph(path: name, bytes: Int(status.st_size)), status)
      }
    }
  }

  public static func == (one: Self, other: Self) -> Bool {
    one.photographs == other.photographs && one.hidden == other.hidden && one.others == other.others
      && one.links == other.links && one.unreadable == other.unreadable && one.isCut == other.isCut
  }

  private static func trimmed(_ name: String) -> String {
    let trimmed = name.reversed().drop { $0 == "/" }.reversed()
    return trimmed.isEmpty ? name : String(trimmed)
  }

  private mutating func search(_ folder: String, in root: String, depth: Int) {
    guard depth <= Self.depthLimit, let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    else { return unreadable.append(folder) }
    for name in names.sorted(by: NaturalOrder.precedes) where !isCut {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard name.utf8.first != UInt8(ascii: ".") else {
        hidden += 1
        continue
      }
      guard lstat(path, &status) == 0 else {
        unreadable.append(path)
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR: search(path, in: root, depth: depth + 1)
      case S_IFLNK: links += 1
      case S_IFREG: take(path, status, in: root)
      default: others += 1
      }
    }
  }

  private mutating func take(_ path: String, _ status: stat, in root: String) {
    guard let start = Self.start(of: path) else { return unreadable.append(path) }
    guard Photograph.mediaType(start) != nil else {
      others += 1
      return
    }
    add(Photograph(path: path, bytes: Int(status.st_size), folder: root), status)
  }

  private mutating func add(_ photograph: Photograph, _ status: stat?) {
    if let status, !seen.insert(FileName(device: status.st_dev, node: status.st_ino)).inserted { return }
    guard photographs.count < Self.limit else {
      isCut = true
      return
    }
    photographs.append(photograph)
  }

  /// The first bytes of a file. Nil if it cannot be opened. A file that has become a link or a pipe meanwhile does not block.
  private static func start(of path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 8)
    let count = read(file, &bytes, bytes.count)
    return count < 0 ? nil : Array(bytes[..<count])
  }
}
