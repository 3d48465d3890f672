import Glibc

/// A video file that is being written, from its first byte on under its own name: what is killed can be played.
///
/// `@unchecked Sendable`: the descriptor is written in `init` only, and closed in `deinit`.
final class MovieFile: @unchecked Sendable {
  let path: String
  let descriptor: CInt

  /// Makes the file; nothing that is there is replaced.
  /// - Throws: `destination`.
  init(_ path: String) throws(RecordingError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.refusal(path, errno) }
  }

  /// One that is open already, for a proof.
  init(_ path: String, descriptor: CInt) { (self.path, self.descriptor) = (path, descriptor) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func refusal(_ path: String, _ code: CInt) -> RecordingError {
    if code == EEXIST {
      return RecordingError(
        .destination, "record to \(path)", reason: "there is something of that name already",
        remedy: "choose another name; no recording is overwritten")
    }
    return .unmade(path, code, remedy: "name a folder that is there and that you may write to")
  }

  /// Takes away what is behind the last whole fragment.
  func cut(to byteCount: Int64) { _ = ftruncate(descriptor, off_t(byteCount)) }

  /// It never held a frame. What has taken its name meanwhile stays.
  func remove() {
    var (own, there) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, lstat(path, &there) == 0, own.st_dev == there.st_dev,
      own.st_ino == there.st_ino
    else { return }
    unlink(path)
  }

  /// Waits until the disk has everything.
  func flush() throws(RecordingError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.refusal(path, errno) }
  }
}
