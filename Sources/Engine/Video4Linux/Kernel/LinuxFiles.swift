import Glibc
import System

// Reading sysfs and /dev for hot-plug and stable names.
extension LinuxKernel {
  /// Reads the folder with `readdir(3)`, without `.` and `..`.
  public func names(in folder: String, limit: Int) throws(Errno) -> [String] {
    do throws(SystemError) { return try FolderNames.read(folder, limit: limit) } catch {
      throw Errno(rawValue: error.code)
    }
  }

  /// Reads a file with one `read(2)`: for sysfs attributes, which one read returns whole.
  public func contents(of path: String, limit: Int) throws(Errno) -> [UInt8] {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    defer { close(descriptor) }
    var reason: Errno?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      // One read is enough: only sysfs attributes are read here, and one read returns them whole.
      let result = read(descriptor, buffer.baseAddress, buffer.count)
      if result < 0 { reason = Errno(rawValue: errno) }
      count = max(0, result)
    }
    if let reason { throw reason }
    return bytes
  }

  /// `realpath(3)`.
  public func resolve(_ path: String) throws(Errno) -> String {
    guard let resolved = path.realPath else { throw Errno(rawValue: errno) }
    return resolved
  }
}
