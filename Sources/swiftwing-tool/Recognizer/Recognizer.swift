import BookScan

/// Reads photos for another process of this program; see `RecognitionWorker`.
enum Recognizer {
  /// The first argument of such a process; no command of a user's.
  static let name = "recognizer"

  /// - Parameter arguments: those after the name; with `scripted` it does what the photos say, for tests and trials.
  static func run(_ arguments: ArraySlice<String>) -> Never {
    let isScripted = arguments.first == "scripted"
    RecognitionService.run { (choice) throws(ScanError) in
      try isScripted ? ScriptedReader.reader : RecognitionService.Reader(choice)
    }
  }
}
