import Glibc
import System

/// The files of OpenVINO's library and the models, as `scripts/models` unpacks them.
public struct RecognitionModels: Sendable, Hashable {
  /// The path of `libopenvino_c.so`, with its dependencies beside it.
  public var library: String
  /// The ONNX file of the model that finds lines of text.
  public var detector: String
  /// The ONNX file of the model that reads a line.
  public var recognizer: String

  /// Takes the three files of a folder.
  /// - Throws: `unavailable`, which names the first missing file.
  public init(folder: String) throws(ScanError) {
    library = "\(folder)/openvino/libopenvino_c.so"
    detector = "\(folder)/PP-OCRv6_det_small.onnx"
    recognizer = "\(folder)/PP-OCRv6_rec_small.onnx"
    for file in [library, detector, recognizer] where access(file, R_OK) != 0 {
      let code = errno
      let isMissing = code == ENOENT || code == ENOTDIR
      let mending =
        isMissing ? "run `swiftwing models \(ShellCommand.file(folder))`" : "check who may read it"
      throw .unavailable(
        what: "the PP-OCRv6 models",
        reason: isMissing ? "\(file) is missing" : "\(file): \(SystemError(code).reason)",
        remedy: "\(mending), or read with `--recognizer-engine tesseract`")
    }
  }

  /// Returns the folder of the models: `$SWIFTWING_MODELS` if it is set, otherwise the first readable `.build-models` in a folder
  /// above `executable`, otherwise `~/.cache/swiftwing/models`.
  public static func folder(executable: String) -> String {
    var places: [String] = []
    if let named = getenv("SWIFTWING_MODELS"), named[0] != 0 { return String(cString: named) }
    var above = Substring(executable)
    while let slash = above.lastIndex(of: "/") {
      above = above[..<slash]
      places.append("\(above)/.build-models")
    }
    let home = getenv("HOME").map { String(cString: $0) } ?? ""
    let cache = "\(home)/.cache/swiftwing/models"
    return places.first { access($0, R_OK) == 0 } ?? cache
  }
}
