import BookScan
import Capture
import Corpora
import Foundation
import Glibc
import Recording

extension Surroundings {
  /// Returns the machine that this program runs on.
  static func thisMachine() -> Surroundings {
    let environment = ProcessInfo.processInfo.environment
    return Surroundings(
      environment: environment,
      cameras: { try ConnectedCamera.list().map(Camera.init) },
      corpora: { Set(Corpus.list(in: CorpusRoots.standard()).corpora.map(\.manifest.name)) },
      // Runs in a separate process, because a broken model may crash a C++ library.
      startRecognizer: { choice in
        Result { () throws(ScanError) in
          try RecognitionWorker(RecognitionWorker.Settings(choice: choice)).name
        }
      },
      hasProgram: { hasProgram($0, path: environment["PATH"] ?? "") },
      programs: CorpusRoots.executableFolder() ?? ".",
      freeBytes: Self.freeBytes,
      exists: { access($0, F_OK) == 0 },
      hasRealTime: Self.mayHaveRealTime, videoCodecs: { RecordingCodec.available.map(\.rawValue) })
  }

  /// Whether an executable file exists. A folder with the program's name does not count.
  static func hasProgram(_ name: String, path: String) -> Bool {
    let folders = name.contains("/") ? [""] : path.split(separator: ":").map { "\($0)/" }
    return folders.contains { folder in
      var file = stat()
      return stat(folder + name, &file) == 0 && file.st_mode & S_IFMT == S_IFREG
        && access(folder + name, X_OK) == 0
    }
  }

  private static func freeBytes(_ folder: String) -> Int64? {
    var disk = statvfs()
    guard access(folder, W_OK | X_OK) == 0, statvfs(folder, &disk) == 0 else { return nil }
    return Int64(
      clamping: UInt64(disk.f_bavail).multipliedReportingOverflow(by: UInt64(disk.f_frsize)).partialValue)
  }

  /// Whether real-time threads are allowed: for root, which has `CAP_SYS_NICE`, or by a limit of at least the capture thread's
  /// priority, 10.
  private static var mayHaveRealTime: Bool {
    var limit = rlimit()
    return geteuid() == 0
      || (getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limit) == 0 && limit.rlim_cur >= 10)
  }
}

extension Surroundings.Camera {
  fileprivate init(_ camera: ConnectedCamera) {
    path = camera.path
    name = camera.name
    guard case .failure(let error) = camera.description else { return }
    if case .permissionDenied = error { refusal = .forbidden } else { refusal = .other("\(error)") }
  }
}
