import BookScan

/// The machine that the doctor checks: this one, or in tests an invented one.
struct Surroundings {
  /// A camera, and the reason why it cannot be opened.
  struct Camera {
    enum Refusal {
      case forbidden
      /// The engine's reason.
      case other(String)
    }

    var path: String
    var name: String
    var refusal: Refusal?
  }

  var environment: [String: String] = [:]
  /// The folder used as `/` for the kernel's files in `/sys` and `/dev`.
  var root = ""
  var cameras: () throws -> [Camera]
  /// A function that returns the names of the installed corpora.
  var corpora: () -> Set<String>
  /// A function that starts a recogniser, and returns its name with its version.
  var startRecognizer: (RecognizerChoice) -> Result<String, ScanError>
  /// Whether a program is in `PATH`, or at a path.
  var hasProgram: (String) -> Bool
  /// The folder of the running program.
  var programs: String
  /// A function that returns the free bytes on the disk of a folder; nil if the folder does not exist or cannot be written.
  var freeBytes: (String) -> Int64?
  /// Whether a file or folder exists.
  var exists: (String) -> Bool
  /// Whether capture threads may have real-time priority.
  var hasRealTime: Bool
  /// A function that returns the available video codecs; none if FFmpeg's libraries are missing.
  var videoCodecs: () -> [String]
}
