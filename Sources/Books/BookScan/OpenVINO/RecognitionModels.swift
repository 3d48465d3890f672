import Glibc
import System

/// Where OpenVINO's library and the models are: what `scripts/models` unpacks.
public struct RecognitionModels: Sendable, Hashable {
  /// `libopenvino_c.so`, with its neighbours beside it.
  public var library: String
  /// The model that finds lines of text, an ONNX file.
  public var detector: String
  /// The model that reads a line, an ONNX file.
  public var recognizer: String

  /// The three files of a folder.
  /// - Throws: `unavailable`, naming the first that is missing.
  public init(folder: String) throws(ScanError) {
    library = "\(folder)/openvino/libopenvino_c.so"
    detector = "\(folder)/PP-OCRv6_det_small.onnx"
    recognizer = "\(folder)/PP-OCRv6_rec_small.onnx"
    for file in [library, detector, recognizer] where access(file, R_OK) != 0 {
      throw .unavailable(
        what: "the PP-OCRv6 models", reason: "\(file) is missing",
        remedy: "run `swiftwing models \(ShellCommand.file(folder))`, or use Tesseract")
    }
  }

  /// The first of these that is a folder: `$SWIFTWING_MODELS`, `.build-models` in a folder above `executable`,
  /// `~/.cache/swiftwing/models`.
  public static func folder(executable: String) -> String {
    var places: [String] = []
    if let named = getenv("SWIFTWING_MODELS") { return String(cString: named) }
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
