import CLinux
import Glibc

/// A pipe between a program and us, closed on exec. For one thread only.
package final class ProcessPipe {
  /// Our ends of the pipe; -1 when closed.
  package private(set) var reader: CInt = -1
  package private(set) var writer: CInt = -1
  /// What has come and was kept.
  package private(set) var bytes: [UInt8] = []
  /// Whether more has come than was kept.
  package private(set) var isCut = false

  /// - Throws: when the process may open no more files.
  package init() throws(SystemError) {
    var ends: [CInt] = [-1, -1]
    guard linux_pipe(&ends) == 0 else { throw SystemError(errno) }
    reader = ends[0]
    writer = ends[1]
  }

  deinit {
    closeWriter()
    closeReader()
  }

  /// The end that is written to. While it is open, the reader does not reach the end.
  package func closeWriter() { Self.close(&writer) }
  package func closeReader() { Self.close(&reader) }

  /// Waits for what comes next. Closes the reader at the end.
  /// - Parameter limit: of `bytes`; the rest is dropped.
  package func read(keeping limit: Int) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(reader, &buffer, buffer.count)
    if count < 0 && errno == EINTR { return }
    guard count > 0 else { return closeReader() }
    let kept = min(count, max(0, limit - bytes.count))
    bytes += buffer[..<kept]
    isCut = isCut || kept < count
  }

  package func readToEnd(keeping limit: Int) { while reader >= 0 { read(keeping: limit) } }

  /// Waits until there is something to read, or its end.
  /// - Returns: false when the time is over.
  package func isReadable(within milliseconds: CInt) -> Bool {
    var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  private static func close(_ end: inout CInt) {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }
}
