import Glibc

/// Where a recording is written: claimed at its start, so that nobody else records there.
enum RecordingPlace {
  case file(MovieFile, container: String)
  case folder(FolderClaim, RecordingFolder)

  /// No frame came: nothing is left behind.
  func giveUp() {
    switch self {
    case .file(let file, _): file.remove()
    case .folder(let claim, _): claim.giveUp()
    }
  }
}

/// The folder of a corpus that is being recorded: empty until the corpus takes its place, and locked meanwhile. The lock goes with the
/// process, so a folder whose recorder was killed can be claimed again.
///
/// `@unchecked Sendable`: nothing changes after `init`; the descriptor is closed in `deinit`.
final class FolderClaim: @unchecked Sendable {
  private let path: String
  private let descriptor: CInt
  /// It was not there before.
  private let isMade: Bool

  /// - Throws: `destination`.
  init(_ path: String) throws(RecordingError) {
    self.path = path
    let isMade = mkdir(path, 0o777) == 0
    guard isMade || errno == EEXIST else { throw Self.refusal(path, errno) }
    self.isMade = isMade
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw Self.refusal(path, EEXIST) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isMade || Self.isEmpty(path) else {
      // The descriptor is closed with this object.
      throw Self.refusal(path, EEXIST)
    }
  }

  deinit {
    guard descriptor >= 0 else { return }
    // For a process that is being started as well, which has a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func refusal(_ path: String, _ code: CInt) -> RecordingError {
    if code == EEXIST {
      return RecordingError(
        .destination, "record to \(path)", reason: "there is something of that name already",
        remedy: "choose another name; no recording is overwritten")
    }
    return .unmade(
      path, code, remedy: "name a folder that can be made in one that is there and that you may write to")
  }

  private static func isEmpty(_ path: String) -> Bool {
    guard let stream = opendir(path) else { return false }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { return false }
    }
    return true
  }

  func giveUp() { if isMade { rmdir(path) } }
}
