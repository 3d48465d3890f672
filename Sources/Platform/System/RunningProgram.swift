import Glibc

/// The running program, and its sibling programs.
package enum RunningProgram {
  /// The path of the running program's file. Nil if the system does not report it.
  package static var path: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count], as: UTF8.self)
  }

  package static var folder: String? {
    path.flatMap(\.folderName)
  }

  /// The path of another program in the same installation.
  package static func sibling(_ name: String) -> String { "\(folder ?? ".")/\(name)" }

  /// The arguments of this process, without its name. Ends the program with a message if one of them is not UTF-8: Swift would replace its bytes
  /// by U+FFFD, and a file of another name would be read or written.
  package static func demandArguments() -> [String] {
    (0..<Int(CommandLine.argc)).dropFirst().compactMap { CommandLine.unsafeArgv[$0] }.map { pointer in
      let bytes = UnsafeRawBufferPointer(start: pointer, count: strlen(pointer))
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      let shown = TerminalText.printable(String(decoding: bytes, as: UTF8.self))
      let sentence =
        "swiftwing: cannot use the argument \(shown), which is not UTF-8; rename the file, or write the text in UTF-8\n"
      _ = Array(sentence.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      _exit(2)
    }
  }

  /// Replaces this process by another program. Buffered output is lost.
  /// - Returns: only on failure, with its reason.
  package static func become(_ path: String, _ arguments: [String]) -> SystemError {
    let name = path.pathParts.last ?? path
    var pointers = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    execv(path, &pointers)
    return SystemError(errno)
  }
}
