import System

/// A file of `/proc` or `/sys`, whose content the kernel generates while it is read.
package enum SystemFile {
  /// Returns the file's text. Nil if it cannot be read. Empty files are common here, and Foundation leaks 4 KB with each one.
  package static func text(_ path: String) -> String? {
    (try? RegularFile.read(path, atMost: 1 << 24)).map { String(decoding: $0, as: UTF8.self) }
  }
}
