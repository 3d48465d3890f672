import CLinux
import Glibc

/// A pipe between another program and this process, closed on exec. Only one thread may use it.
package final class ProcessPipe {
  /// This process's descriptor for reading from the pipe; -1 if closed.
  package private(set) var reader: CInt = -1
  /// This process's descriptor for writing to the pipe; -1 if closed.
  package private(set) var writer: CInt = -1
  /// The bytes that were read and kept.
  package private(set) var bytes: [UInt8] = []
  /// Whether more was read than was kept.
  package private(set) var isCut = false

  /// - Throws: an error if the process may open no more files.
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

  /// Closes the end for writing. While it is open, the reader does not reach the end of the data.
  package func closeWriter() { Self.close(&writer) }
  package func closeReader() { Self.close(&reader) }

  /// Waits for the next bytes. Closes the reader at the end.
  /// - Parameter limit: the maximum size of `bytes`; the rest is dropped.
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

  /// Waits until data or the end can be read.
  /// - Returns: false if the time is over.
  package func isReadable(within milliseconds: CInt) -> Bool {
    var waiting = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
    return poll(&waiting, 1, milliseconds) > 0
  }

  private static func close(_ end: inout CInt) {
    if end >= 0 { Glibc.close(end) }
    end = -1
  }
}
