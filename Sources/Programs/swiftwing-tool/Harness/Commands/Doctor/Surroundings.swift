import BookScan

/// What the doctor looks at: this machine, or in a test one that is made up.
struct Surroundings {
  /// A camera, and why it may not be opened.
  struct Camera {
    enum Refusal {
      case forbidden
      /// What the engine says.
      case other(String)
    }

    var path: String
    var name: String
    var refusal: Refusal?
  }

  var environment: [String: String] = [:]
  /// The folder that stands for `/`, for what the kernel tells in `/sys` and `/dev`.
  var root = ""
  var cameras: () throws -> [Camera]
  /// Names of the corpora that are found.
  var corpora: () -> Set<String>
  /// Starts a recogniser, and says its name and version.
  var startRecognizer: (RecognizerChoice) -> Result<String, ScanError>
  /// Whether a program is in `PATH`, or at a path.
  var hasProgram: (String) -> Bool
  /// The folder that the running program is in.
  var programs: String
  /// Bytes that are free on the disk of a folder; nil when there is no such folder, or it cannot be written.
  var freeBytes: (String) -> Int64?
  /// Whether there is such a file or folder.
  var exists: (String) -> Bool
  /// Whether capture threads may be real-time ones.
  var hasRealTime: Bool
  /// How videos can be compressed; none where FFmpeg's libraries are missing.
  var videoCodecs: () -> [String]
}
