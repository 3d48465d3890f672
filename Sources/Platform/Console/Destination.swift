import Glibc

/// A file that a command is to write. It is never a file that the command reads, whatever its name, and a file that is replaced is
/// reported.
package struct Destination: Sendable {
  package let path: String
  private let wasThere: Bool

  /// - Parameters:
  ///   - option: what names the path on the command line.
  ///   - inputs: the files and folders that the command reads.
  ///   - mayReplace: false where the user must say so with `--replace`.
  /// - Throws: when the path leads to one of them, to something that is no file, or to one that may not be replaced.
  package init(
    _ path: String, option: String = "--out", madeOf inputs: [String] = [], mayReplace: Bool = true
  ) throws(DestinationError) {
    if let input = inputs.first(where: { Self.isSame(path, $0) }) {
      throw DestinationError(
        description: "\(option) \(path) would overwrite \(input), which it is made of; choose another name")
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || status.st_mode & S_IFMT == S_IFREG else {
      throw DestinationError(
        description: "cannot write \(option) \(path): it is not a file; choose another name")
    }
    self.path = path
    // A link that leads nowhere is replaced too.
    wasThere = isThere || lstat(path, &status) == 0
    guard mayReplace || !wasThere else {
      throw DestinationError(
        description:
          "cannot write \(option) \(path): there is something of that name already; choose another name, or replace it with --replace"
      )
    }
  }

  /// Says on standard error that something was replaced, if it was. Called when the file is written.
  package func tellReplaced() {
    if wasThere { Terminal.tell("note: replaced \(path)") }
  }

  /// A folder that takes the place of one that may be there.
  /// - Throws: when what is read is that folder or lies in it.
  package static func check(
    folder: String, option: String = "--out", madeOf inputs: [String]
  ) throws(DestinationError) {
    guard let input = inputs.first(where: { lies($0, in: folder) }) else { return }
    throw DestinationError(
      description: "\(option) \(folder) would overwrite \(input), which it is made of; choose another name")
  }

  /// True when both names, links followed, are those of one file or folder.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  private static func lies(_ input: String, in folder: String) -> Bool {
    guard let resolved = realpath(input, nil) else { return false }
    defer { free(resolved) }
    var path = String(cString: resolved)
    while true {
      if isSame(path, folder) { return true }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path.utf8.count > 1 else { return false }
      path = slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
    }
  }
}

/// Why a command must not write where it was told to.
package struct DestinationError: Error, CustomStringConvertible {
  package let description: String
}
