import CLinux
import Glibc
import Probes

/// Resources that are held on purpose, to prove `ProcessFootprint`.
enum FootprintProbe {
  /// Returns the footprint while a pipe is open and a thread has a name of the engine's.
  static func holding() async throws -> ProcessFootprint {
    var descriptors: [Int32] = [0, 0]
    guard linux_pipe(&descriptors) == 0 else {
      throw LaunchError("pipe", errno, remedy: "raise the limit of open files with `ulimit -n`")
    }
    defer { for descriptor in descriptors { close(descriptor) } }
    return try await onOwnThread {
      linux_name_thread(pthread_self(), "motion")
      return ProcessFootprint.now()
    }
  }
}
