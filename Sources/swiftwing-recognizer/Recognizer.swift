import BookScan

/// Reads photos for the other programs; see `RecognitionWorker`. `scripted` does what the photos say, for tests and trials.
@main enum Recognizer {
  static func main() {
    let isScripted = CommandLine.arguments.dropFirst().first == "scripted"
    RecognitionService.run { (choice) throws(ScanError) in
      try isScripted ? ScriptedReader.reader : RecognitionService.Reader(choice)
    }
  }
}
