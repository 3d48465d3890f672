import ArgumentParser
import Console

/// `swiftwing scan --drain`: delivers the queue to the library, without a camera.
struct ScanDrain: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drain", abstract: "Deliver what is queued, without a camera.",
    usage: """
      swiftwing scan --drain [--library [FOLDER]]
                     [--recognizer local|hybrid|backend] [--no-fallback]
                     [--server URL] [--patience SECONDS]
                     [--upload-size legible|N] [--budget PROFILE]
                     [--level fast|accurate]
                     [--recognizer-engine openvino|tesseract]
                     [--languages LANGUAGES] [--models FOLDER]
                     [--catalogue FILE] [--json]
      """,
    discussion: """
      Ends when every scan in the queue is in the library or given up. Scans that were given up before are \
      left alone; `swiftwing queue retry` retries them. ^C ends at once, and the rest stays queued. For the \
      ways and their options see `swiftwing scan --help`; --json prints the same objects as `scan --photos \
      --library --json`.
      """)

  @Option(
    help: ArgumentHelp("Folder of the library; by default $XDG_DATA_HOME/swiftwing.", valueName: "FOLDER"))
  var library: LibraryChoice?
  @Flag(help: "Print one JSON object per event.") var json = false
  @OptionGroup var ways: WayOptions
  @OptionGroup var options: RecognitionOptions
  @OptionGroup var catalogue: CataloguePlace

  func run() async throws {
    _ = try TokenProfiles.named(ways.budget)
    let folder = try (library ?? .own).directory()
    try await PhotographRun([], again: false, library: folder, json: json).run(
      ways, options, catalogue: catalogue)
  }
}
