import Glibc
import System

/// A file that a command will write. It is never one of the files that the command
/// reads, not even under another name. Replacing an existing file is reported.
package struct Destination: Sendable {
  package let path: String
  private let wasThere: Bool

  /// - Parameters:
  ///   - option: the option that names the path on the command line.
  ///   - inputs: the files and folders that the command reads.
  ///   - mayReplace: whether an existing file may be replaced. False if the user must allow it with `--replace`.
  ///   - database: the application id of the SQLite files that the command makes; nil if it makes none. No other SQLite file is
  ///     replaced: it may be a library.
  /// - Throws: an error if the path leads to an input, to something that is not a file, or to a file that may not be replaced.
  package init(
    _ path: String, option: String = "--out", madeOf inputs: [String] = [], mayReplace: Bool = true,
    database: Int32? = nil
  ) throws(DestinationError) {
    if let input = inputs.first(where: { Self.isSame(path, $0) }) {
      throw DestinationError(
        description: "\(option) \(path) would overwrite the input \(input); choose another name")
    }
    var status = stat()
    let isThere = stat(path, &status) == 0
    guard !isThere || (status.st_mode & S_IFMT == S_IFREG && !Self.isLinkToStream(path)) else {
      throw DestinationError(
        description:
          "cannot write \(option) \(path): it is a folder, a pipe or a device, not a file; choose another name"
      )
    }
    if isThere, let found = Self.applicationID(ofDatabase: path), found != database {
      throw DestinationError(
        description:
          "cannot write \(option) \(path): a database is there, such as a library; choose another name")
    }
    self.path = path
    // A link without a target counts as an existing file too.
    wasThere = isThere || lstat(path, &status) == 0
    guard mayReplace || !wasThere else {
      throw DestinationError(
        description:
          "cannot write \(option) \(path): there is something of that name already; choose another name, or replace it with --replace"
      )
    }
  }

  /// Reports on standard error that a file was replaced, if there was one. Call it once the file is written.
  package func tellReplaced() {
    if wasThere { Terminal.tell("note: replaced \(path)") }
  }

  /// Checks a folder that will replace an existing one.
  /// - Throws: an error if an input is that folder or is in it.
  package static func check(
    folder: String, option: String = "--out", madeOf inputs: [String]
  ) throws(DestinationError) {
    guard let input = inputs.first(where: { lies($0, in: folder) }) else { return }
    throw DestinationError(
      description: "\(option) \(folder) would overwrite the input \(input); choose another name")
  }

  /// Whether both paths, with links resolved, lead to the same file or folder.
  package static func isSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(first, &one) == 0, stat(second, &other) == 0 else { return false }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  /// Whether two files that will be written are one file. It need not exist yet.
  package static func areOne(_ first: String, _ second: String) -> Bool {
    if first.isExactly(second) || isSame(first, second) { return true }
    return first.lastName.isExactly(second.lastName)
      && isSame(first.folderName ?? ".", second.folderName ?? ".")
  }

  /// The application id in the header of an SQLite file (https://www.sqlite.org/fileformat.html). Nil if the file is none, or cannot be read.
  private static func applicationID(ofDatabase path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: 72)
    guard read(descriptor, &header, header.count) == header.count,
      header.starts(with: "SQLite format 3\0".utf8)
    else { return nil }
    return header[68...].reduce(0) { $0 << 8 | Int32($1) }
  }

  /// Whether the path is a link in `/dev` such as `/dev/stdout`. Replacing a file replaces a link and not its target: all programs of the
  /// machine would lose the stream.
  private static func isLinkToStream(_ path: String) -> Bool {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return false }
    return (path.folderName ?? ".").realPath == "/dev"
  }

  private static func lies(_ input: String, in folder: String) -> Bool {
    guard var path = input.realPath else { return false }
    while true {
      if isSame(path, folder) { return true }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), path.utf8.count > 1 else { return false }
      path = slash == path.startIndex ? "/" : String(decoding: path.utf8[..<slash], as: UTF8.self)
    }
  }
}

/// An error: the command must not write to its destination.
package struct DestinationError: Error, CustomStringConvertible {
  package let description: String
}
