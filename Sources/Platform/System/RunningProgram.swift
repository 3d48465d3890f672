import Glibc

/// The program that runs here, and those beside it.
package enum RunningProgram {
  /// Its file; nil when the system does not tell.
  package static var path: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  /// The folder that its file is in.
  package static var folder: String? {
    path.flatMap(\.folderName)
  }

  /// The path of another program of the same installation.
  package static func sibling(_ name: String) -> String { "\(folder ?? ".")/\(name)" }

  /// Replaces this process by another program. Output that is still buffered is lost.
  /// - Returns: only when it cannot be started: why.
  package static func become(_ path: String, _ arguments: [String]) -> SystemError {
    let name = path.pathParts.last ?? path
    var pointers = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    execv(path, &pointers)
    return SystemError(errno)
  }
}
