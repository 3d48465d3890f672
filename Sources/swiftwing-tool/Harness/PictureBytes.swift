import Glibc
import Harness

/// The bytes of a file that a user names: a regular file of bounded size, whatever the path leads to.
enum PictureBytes {
  /// Largest file read, in bytes.
  private static let sizeLimit = 512 << 20

  static func read(_ path: String) throws(Failure) -> [UInt8] {
    // A pipe without a writer must not hold us up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(path, errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw Failure(
        "cannot make a photo of \(path): it is a folder; name a picture in it, or a recording as corpus:NAME",
        .usage)
    }
    guard status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= sizeLimit
    else {
      throw Failure(
        "cannot make a photo of \(path): it is not a file of at most 512 MiB; name a picture", .usage)
    }
    return try read(descriptor, count: Int(status.st_size), path)
  }

  /// At most as many bytes as the file had when it was opened.
  private static func read(_ descriptor: Int32, count: Int, _ path: String) throws(Failure) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count, let base = buffer.baseAddress {
        let got = Glibc.read(descriptor, base + filled, count - filled)
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        guard got > 0 else { return }
        filled += got
      }
    }
    guard failure == 0 else { throw refusal(path, failure) }
    return bytes
  }

  private static func refusal(_ path: String, _ code: Int32) -> Failure {
    switch code {
    case ENOENT, ENOTDIR:
      Failure("cannot make a photo of \(path): there is no such file; check the path", .usage)
    case EACCES: Failure("cannot read \(path): permission denied; change its permissions", .usage)
    default:
      Failure("cannot read \(path): \(String(cString: strerror(code))); copy it to another disk", .usage)
    }
  }
}
