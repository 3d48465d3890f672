import Glibc

/// A video file that is being written, under its final name from the first byte on: if the process is killed, the file is playable.
///
/// `@unchecked Sendable`: the descriptor is written only in `init`, and closed in `deinit`.
final class MovieFile: @unchecked Sendable {
  let path: String
  let descriptor: CInt

  /// Creates the file; an existing file is never replaced.
  /// - Throws: `destination`.
  init(_ path: String) throws(RecordingError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.refusal(path, errno) }
  }

  /// Creates a file that is open already, for tests.
  init(_ path: String, descriptor: CInt) { (self.path, self.descriptor) = (path, descriptor) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private static func refusal(_ path: String, _ code: CInt) -> RecordingError {
    .unmade(path, code, remedy: "name a folder that is there and that you may write to")
  }

  /// Cuts the file after the last whole fragment.
  func cut(to byteCount: Int64) { _ = ftruncate(descriptor, off_t(byteCount)) }

  /// Removes the file, which never held a frame. If another file has taken its name meanwhile, that file stays.
  func remove() {
    var (own, there) = (stat(), stat())
    guard fstat(descriptor, &own) == 0, lstat(path, &there) == 0, own.st_dev == there.st_dev,
      own.st_ino == there.st_ino
    else { return }
    unlink(path)
  }

  /// Waits until everything is on the disk.
  func flush() throws(RecordingError) {
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw Self.refusal(path, errno) }
  }
}
