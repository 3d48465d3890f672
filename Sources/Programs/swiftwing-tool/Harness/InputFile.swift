import Glibc
import Harness
import System

/// The bytes of a file that a user names: a regular file of bounded size, whatever the path leads to.
struct InputFile {
  let path: String
  /// The purpose in error messages, such as `make a photo of`.
  let purpose: String
  /// The advice in error messages, for a folder and for anything else that is no file.
  let advice: (folder: String, other: String)
  /// The largest file that is read, in MiB.
  let mebibytes: Int

  static func picture(_ path: String) -> InputFile {
    InputFile(
      path: path, purpose: "make a photo of",
      advice: ("name a picture in it, or a recording as corpus:NAME", "name a picture"), mebibytes: 512)
  }

  func bytes() throws(Failure) -> [UInt8] {
    do throws(RegularFile.Trouble) { return try RegularFile.read(path, atMost: mebibytes << 20) } catch {
      switch error {
      case .system(let code): throw refusal(code)
      case .isFolder: throw Failure("cannot \(purpose) \(path): it is a folder; \(advice.folder)", .usage)
      case .isNoFile: throw Failure("cannot \(purpose) \(path): it is not a file; \(advice.other)", .usage)
      case .isTooLarge:
        throw Failure(
          "cannot \(purpose) \(path): it is larger than \(mebibytes) MiB; name a smaller one", .usage)
      }
    }
  }

  private func refusal(_ code: Int32) -> Failure {
    switch code {
    case ENOENT, ENOTDIR:
      Failure("cannot \(purpose) \(path): there is no such file; check the path", .usage)
    case EACCES: Failure("cannot read \(path): permission denied; change its permissions", .usage)
    case EIO:
      Failure(
        "cannot read \(path): \(String(cString: strerror(code))); its disk may be failing: use another copy of "
          + "the file", .usage)
    default: Failure("cannot read \(path): \(String(cString: strerror(code))); check the path", .usage)
    }
  }
}
