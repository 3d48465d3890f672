import Glibc
import JSON
import Log
import System

/// A JSON object in a file that several programs read and change.
///
/// Each change reads the file and replaces it by a whole new one, under a lock (`flock` on `FILE.lock`) that ends with its holder. So a reader
/// sees either the old file or the new one, and no writer loses another's changes.
struct SharedDocument: Sendable {
  /// The path with links resolved: the target of a link is replaced, not the link.
  let path: String
  private static let sizeLimit = 1 << 20
  /// The maximum number of tries for the lock, a millisecond apart. A change takes milliseconds.
  private static let patience: UInt32 = 10_000

  init(path: String) { self.path = path.realPath ?? path }

  /// - Returns: nil if there is no file.
  /// - Throws: `system`, or `damaged` with the flaw.
  func read() throws(SettingsError) -> [String: JSONValue]? {
    guard let bytes = try contents() else { return nil }
    Log.settings.debug("read \(bytes.count) bytes of \(path)")
    return try Self.members(in: bytes, of: path)
  }

  /// Parses the bytes of a file.
  static func members(in bytes: [UInt8], of path: String) throws(SettingsError) -> [String: JSONValue] {
    guard bytes.count <= sizeLimit else { throw tooLarge(path) }
    do throws(JSONError) {
      guard case .object(let members) = try JSONParser.parse(bytes) else {
        throw JSONError(reason: "it is not a JSON object")
      }
      return members
    } catch {
      throw .damaged(path, error.reason)
    }
  }

  private static func tooLarge(_ path: String) -> SettingsError {
    .damaged(path, "it has more than \(sizeLimit >> 10) KiB")
  }

  /// The bytes for a file.
  /// - Throws: `badInput` if they exceed the size that can be read again.
  static func bytes(of members: [String: JSONValue], for path: String) throws(SettingsError) -> [UInt8] {
    let bytes = JSONSerializer.document(.object(members))
    guard bytes.count <= sizeLimit else {
      throw SettingsError(
        .badInput,
        "cannot write \(path): it would have more than \(sizeLimit >> 10) KiB; remove something from it first"
      )
    }
    return bytes
  }

  /// Makes one change, exclusively.
  /// - Parameter change: changes the members of the file, which are empty if there is no file. The file is only written if the members differ
  ///   afterwards.
  func update<Result>(
    _ change: (inout [String: JSONValue]) throws(SettingsError) -> Result
  ) throws(SettingsError) -> Result {
    try makeFolder()
    let lock = try lock()
    defer {
      // Unlock explicitly: a child process that is being started has a copy of the descriptor.
      flock(lock, LOCK_UN)
      close(lock)
    }
    let before = try read()
    var members = before ?? [:]
    let result = try change(&members)
    if members != before {
      try replace(with: Self.bytes(of: members, for: path))
      Log.settings.info("wrote \(path)")
    }
    return result
  }

  // MARK: - Files

  /// Replaces the file, keeping its permissions. A read-only file is left alone, although its folder's permissions would allow replacing it.
  private func replace(with bytes: [UInt8]) throws(SettingsError) {
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || status.st_mode & 0o222 != 0 else {
      throw SettingsError(
        .system, "cannot write \(path): it is read-only; allow it to be written, or name another file")
    }
    do throws(SystemError) {
      try DurableFile.replace(path, with: bytes, mode: isThere ? status.st_mode & 0o777 : 0o600)
    } catch {
      throw .unwritable(path, error)
    }
  }

  /// - Returns: nil if there is no file.
  private func contents() throws(SettingsError) -> [UInt8]? {
    do throws(RegularFile.Trouble) { return try RegularFile.read(path, atMost: Self.sizeLimit) } catch {
      switch error {
      case .system(ENOENT), .system(ENOTDIR): return nil
      case .system(let code): throw .unreadable(path, SystemError(code))
      case .isFolder: throw SettingsError(.system, "cannot read \(path): it is a folder; name a file")
      case .isNoFile:
        throw SettingsError(.system, "cannot read \(path): it is a pipe, a socket or a device; name a file")
      case .isTooLarge: throw Self.tooLarge(path)
      }
    }
  }

  /// Creates the folder of the file and its missing parents (`~/.config/swiftwing`).
  private func makeFolder() throws(SettingsError) {
    var made: [String] = []
    var folder = path
    while let above = folder.folderName, !above.isExactly("/") {
      folder = above
      if access(folder, F_OK) == 0 { break }
      made.append(folder)
    }
    for folder in made.reversed() {
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .unwritable(path, SystemError(errno)) }
    }
  }

  /// - Returns: a descriptor that holds the lock until it is closed.
  private func lock() throws(SettingsError) -> CInt {
    let descriptor = open("\(path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .unwritable("\(path).lock", SystemError(errno)) }
    for _ in 0..<Self.patience {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      usleep(1000)
    }
    let code = errno
    close(descriptor)
    guard code == EWOULDBLOCK || code == EINTR else { throw .unwritable("\(path).lock", SystemError(code)) }
    throw SettingsError(
      .busy,
      "cannot change \(path): another program has held \(path).lock for \(Self.patience / 1000) s; end it")
  }
}
