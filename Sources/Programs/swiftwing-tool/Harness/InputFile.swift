import Glibc
import Harness

/// The bytes of a file that a user names: a regular file of bounded size, whatever the path leads to.
struct InputFile {
  let path: String
  /// What it is read for, such as `make a photo of`.
  let purpose: String
  /// What to name instead where it is a folder, and where it is no file.
  let advice: (folder: String, other: String)
  /// Largest file read, in MiB.
  let mebibytes: Int

  static func picture(_ path: String) -> InputFile {
    InputFile(
      path: path, purpose: "make a photo of",
      advice: ("name a picture in it, or a recording as corpus:NAME", "name a picture"), mebibytes: 512)
  }

  func bytes() throws(Failure) -> [UInt8] {
    // A pipe without a writer must not hold us up.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw refusal(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else {
      throw Failure("cannot \(purpose) \(path): it is a folder; \(advice.folder)", .usage)
    }
    guard status.st_mode & S_IFMT == S_IFREG,
      status.st_size <= mebibytes << 20
    else {
      throw Failure(
        "cannot \(purpose) \(path): it is not a file of at most \(mebibytes) MiB; \(advice.other)", .usage)
    }
    return try read(descriptor, count: Int(status.st_size))
  }

  /// At most as many bytes as the file had when it was opened.
  private func read(_ descriptor: Int32, count: Int) throws(Failure) -> [UInt8] {
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
    guard failure == 0 else { throw refusal(failure) }
    return bytes
  }

  private func refusal(_ code: Int32) -> Failure {
    switch code {
    case ENOENT, ENOTDIR:
      Failure("cannot \(purpose) \(path): there is no such file; check the path", .usage)
    case EACCES: Failure("cannot read \(path): permission denied; change its permissions", .usage)
    default:
      Failure("cannot read \(path): \(String(cString: strerror(code))); copy it to another disk", .usage)
    }
  }
}
