import Glibc
import HTTPService
import System

/// The photos or the films that were deleted from a folder and can still be brought back. A deleted file is moved into a hidden folder beside it,
/// where the time until which it is kept precedes its name. So it outlives the page and this program, and whoever looks for it finds it. Once its
/// time is over, it is removed for good, by this program or by the next one that uses the folder.
final class DeletedFiles: Sendable {
  enum Kind: String, Sendable { case photo, film }

  struct Entry: Equatable, Sendable {
    let kind: Kind
    let name: String
    /// The time until which the file is kept, in milliseconds since 1970.
    let until: Int64
    /// The same on the clock that nobody sets, in seconds.
    fileprivate let endsAt: Double

    fileprivate var storedName: String { "\(until)-\(name)" }
    /// The thumbnail that goes and comes with a film.
    fileprivate var thumbnail: String? { kind == .film ? DeletedFiles.thumbnail(of: name) : nil }
  }

  /// The reason why a file was not moved, as a clause.
  struct Failure: Error { let reason: String }

  /// The time in seconds for which a deleted file is kept.
  static let keptFor = 600.0
  /// The largest number of files that are kept. Nothing further is deleted then, until the time of one is over.
  static let most = 1000
  static let folderName = ".swiftwing-deleted"

  private let kind: Kind
  private let folder: String
  private let known = Locked<[Entry]>([])
  private let clock: SecondsClock
  private let unixTime: SecondsClock

  /// Finds what was deleted before.
  init(
    _ kind: Kind, from folder: String, clock: @escaping SecondsClock = monotonicSeconds,
    unixTime: @escaping SecondsClock = TimeOfDay.now
  ) {
    self.kind = kind
    self.folder = folder
    self.clock = clock
    self.unixTime = unixTime
    let names = (try? FolderNames.read("\(folder)/\(Self.folderName)", limit: 4 * Self.most)) ?? []
    let entries = names.compactMap(entry(ofStored:)).sorted { $0.until < $1.until }
    known.withLock { $0 = entries }
  }

  /// The deleted files, the newest first.
  var entries: [Entry] { known.withLock { $0.reversed() } }

  /// Whether a file's time is over.
  var isDue: Bool {
    let now = clock()
    return known.withLock { $0.first.map { $0.endsAt <= now } ?? false }
  }

  /// Moves a file away, and with a film its thumbnail.
  func delete(_ name: String) throws(Failure) -> Entry {
    let now = clock()
    let entry = Entry(
      kind: kind, name: name, until: Int64((unixTime() + Self.keptFor) * 1000), endsAt: now + Self.keptFor)
    guard known.withLock({ $0.count < Self.most }) else {
      throw Failure(reason: "\(Self.most) deleted files are still kept; wait until some of them are removed")
    }
    guard name.isPlainFileName, entry.storedName.isPlainFileName else {
      throw Failure(reason: "its name is too long, or no name of a file")
    }
    let folders = try Folders(folder, makesHidden: true)
    try folders.checkIsFile(name)
    try folders.move(name, to: entry.storedName, isBack: false)
    if let thumbnail = entry.thumbnail {
      try? folders.move(thumbnail, to: "\(entry.until)-\(thumbnail)", isBack: false)
    }
    known.withLock { $0.append(entry) }
    return entry
  }

  /// Brings back the file that was deleted last under this name.
  /// - Returns: false if none was.
  func restore(_ name: String) throws(Failure) -> Bool {
    guard let entry = entries.first(where: { $0.name.isExactly(name) }) else { return false }
    let folders = try Folders(folder, makesHidden: false)
    try folders.move(entry.storedName, to: entry.name, isBack: true)
    if let thumbnail = entry.thumbnail {
      try? folders.move("\(entry.until)-\(thumbnail)", to: thumbnail, isBack: true)
    }
    forget([entry])
    return true
  }

  /// Removes the files whose time is over. May take a while.
  func removeDue() {
    let now = clock()
    let due = known.withLock { $0.prefix { $0.endsAt <= now } }
    guard !due.isEmpty, let folders = try? Folders(folder, makesHidden: false) else { return forget(due) }
    for entry in due {
      folders.remove(entry.storedName)
      if let thumbnail = entry.thumbnail { folders.remove("\(entry.until)-\(thumbnail)") }
    }
    forget(due)
    folders.removeHiddenIfEmpty()
  }

  private func forget(_ entries: some Collection<Entry>) {
    known.withLock { known in known.removeAll { entries.contains($0) } }
  }

  /// The entry of a file in the hidden folder: the time, in at most 15 digits, then the name.
  private func entry(ofStored stored: String) -> Entry? {
    let digits = stored.utf8.prefix { (48...57).contains($0) }
    let rest = stored.utf8.dropFirst(digits.count)
    guard (1...15).contains(digits.count), rest.first == UInt8(ascii: "-"),
      let until = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let name = String(decoding: rest.dropFirst(), as: UTF8.self)
    guard kind == .photo ? PhotoList.isPhoto(name) : Self.isFilm(name) else { return nil }
    // A clock that was set back must not keep a file for long.
    let left = min(Double(until) / 1000 - unixTime(), Self.keptFor)
    return Entry(kind: kind, name: name, until: until, endsAt: clock() + left)
  }

  private static func isFilm(_ name: String) -> Bool {
    name.isPlainFileName && [".mp4", ".m4v", ".mov"].contains { name.smallASCII.ends(exactly: $0) }
  }

  private static func thumbnail(of film: String) -> String? {
    film.utf8.lastIndex(of: UInt8(ascii: ".")).map {
      String(decoding: film.utf8[..<$0], as: UTF8.self) + ".jpg"
    }
  }
}

/// A folder and its hidden folder, open, so that both stay the same whatever is renamed meanwhile.
private final class Folders {
  private let open: CInt
  private let hidden: CInt

  init(_ path: String, makesHidden: Bool) throws(DeletedFiles.Failure) {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let name = DeletedFiles.folderName
    let folder = Glibc.open(path, flags)
    guard folder >= 0 else { throw Self.failure(path) }
    let isThere = !makesHidden || mkdirat(folder, name, 0o700) == 0 || errno == EEXIST
    let inner = isThere ? openat(folder, name, flags | O_NOFOLLOW) : -1
    guard inner >= 0 else {
      defer { close(folder) }
      throw Self.failure(name)
    }
    open = folder
    hidden = inner
  }

  deinit {
    close(open)
    close(hidden)
  }

  func checkIsFile(_ name: String) throws(DeletedFiles.Failure) {
    var status = stat()
    guard fstatat(open, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw Self.failure(name) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw DeletedFiles.Failure(reason: "\(name) is no regular file")
    }
  }

  /// Moves a file from one folder to the other. Another file of the new name stays as it is.
  func move(_ name: String, to other: String, isBack: Bool) throws(DeletedFiles.Failure) {
    let (from, to) = isBack ? (hidden, open) : (open, hidden)
    if linkat(from, name, to, other, 0) == 0 {
      if unlinkat(from, name, 0) == 0 { return }
      defer { unlinkat(to, other, 0) }
      throw Self.failure(name)
    }
    let isTaken = errno == EEXIST || faccessat(to, other, F_OK, AT_SYMLINK_NOFOLLOW) == 0
    guard !isTaken else {
      throw DeletedFiles.Failure(reason: "there is another file of this name; rename that one first")
    }
    // Some file systems, such as FAT, have no second name for a file.
    guard renameat(from, name, to, other) == 0 else { throw Self.failure(other) }
  }

  func remove(_ name: String) { unlinkat(hidden, name, 0) }
  func removeHiddenIfEmpty() { unlinkat(open, DeletedFiles.folderName, AT_REMOVEDIR) }

  private static func failure(_ name: String) -> DeletedFiles.Failure {
    DeletedFiles.Failure(reason: "\(name): \(SystemError(errno).reason); check who may write to the folder")
  }
}
