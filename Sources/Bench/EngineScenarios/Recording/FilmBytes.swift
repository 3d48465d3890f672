import Glibc
import Probes

/// Random access to the bytes of a file.
final class FilmBytes {
  private let descriptor: CInt
  private let path: String

  init(_ path: String) throws {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw LaunchError(path, errno, remedy: "see that nothing else removes it during the run")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  func bytes(_ range: Range<Int64>) throws -> [UInt8] {
    let count = Int(range.upperBound - range.lowerBound)
    guard range.lowerBound >= 0, count <= 64 << 20 else { return [] }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, off_t(range.lowerBound)))
    }
  }
}

/// A folder for a scenario's files, deleted when the object is released.
final class ScratchFolder: Sendable {
  let path: String

  init(in directory: String) throws {
    var name = Array("\(directory)/film-XXXXXX".utf8CString)
    guard let made = mkdtemp(&name) else {
      throw LaunchError(directory, errno, remedy: "choose another folder with --out")
    }
    path = String(cString: made)
  }

  deinit { remove(path) }

  private func remove(_ path: String) {
    if unlink(path) == 0 { return }
    guard let stream = opendir(path) else { return }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    closedir(stream)
    for name in names { remove("\(path)/\(name)") }
    rmdir(path)
  }
}
