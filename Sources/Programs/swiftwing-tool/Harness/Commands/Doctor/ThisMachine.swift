import BookScan
import Capture
import Corpora
import Foundation
import Glibc
import Recording

extension Surroundings {
  /// The machine that runs this.
  static func thisMachine() -> Surroundings {
    let environment = ProcessInfo.processInfo.environment
    return Surroundings(
      environment: environment,
      cameras: { try ConnectedCamera.list().map(Camera.init) },
      corpora: { Set(Corpus.list(in: CorpusRoots.standard()).corpora.map(\.manifest.name)) },
      // In a process of its own: what a library of C++ makes of a broken model ends nothing here.
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

  /// A folder may have the name of a program, and is none.
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

  /// `CAP_SYS_NICE`, which root has, or a limit that allows the priority of the capture thread, 10.
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
