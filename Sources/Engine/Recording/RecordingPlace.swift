import Glibc
import System

/// The place of a recording: claimed at its start, so that no other recording uses it.
enum RecordingPlace {
  case file(MovieFile, container: String)
  case folder(FolderClaim, RecordingFolder)

  /// Removes the place, because no frame came.
  func giveUp() {
    switch self {
    case .file(let file, _): file.remove()
    case .folder(let claim, _): claim.giveUp()
    }
  }
}

/// The folder of a corpus that is being recorded: empty until the corpus replaces it, and locked meanwhile. The lock ends with the
/// process, so a folder whose recorder was killed can be claimed again.
///
/// `@unchecked Sendable`: nothing changes after `init`; the descriptor is closed in `deinit`.
final class FolderClaim: @unchecked Sendable {
  private let path: String
  private let descriptor: CInt
  /// Whether this object created the folder.
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
    // Unlock explicitly: a process that is being started may have a copy of the descriptor.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private static func refusal(_ path: String, _ code: CInt) -> RecordingError {
    .unmade(
      path, code, remedy: "name a folder that can be made in one that is there and that you may write to")
  }

  private static func isEmpty(_ path: String) -> Bool {
    (try? FolderNames.read(path, limit: 1))?.isEmpty ?? false
  }

  func giveUp() { if isMade { rmdir(path) } }
}
