import Glibc

/// The three standard streams of this process.
package enum StandardStreams {
  /// Gives each stream that this process was started without a descriptor that can be neither read nor written. Otherwise the next file
  /// that is opened, such as a camera, would get the stream's number, and printed lines would go into it. Call it before anything is
  /// opened.
  package static func holdClosed() {
    for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
      // Streams are looked at in order, so that the lowest free number is this one.
      _ = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
