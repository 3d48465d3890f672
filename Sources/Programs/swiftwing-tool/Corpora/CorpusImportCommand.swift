import ArgumentParser
import Console
import Corpora
import Glibc
import Imagery

/// `swiftwing corpus import`.
struct CorpusImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Make a corpus from a folder of pictures, or from a video file (needs ffmpeg).",
    usage: """
      swiftwing corpus import SOURCE --out DIR [--fps N] [--licence TEXT]
                              [--replace] [--json]
      """)

  @Argument(help: ArgumentHelp("A folder of JPEG or PNG files, or a video.", valueName: "SOURCE")) var source:
    String
  @Option(help: ArgumentHelp("The corpus to make, such as Corpus/NAME.", valueName: "DIR")) var out: String
  @Option(
    help: ArgumentHelp(
      "Play a folder of pictures at this rate; without it they are stills.", valueName: "N"))
  var fps: Int?
  @Option(help: ArgumentHelp("The licence of the pictures.", valueName: "TEXT")) var licence =
    "unknown: imported, not to be passed on"
  @Flag(help: "Replace a corpus that exists.") var replace = false
  @Flag(help: "Print JSON.") var json = false

  struct Made: Encodable {
    var directory: String
    var frames: Int
    /// The size of the largest picture, pixels.
    var width: Int
    var height: Int
    var notes: [String]
  }

  func validate() throws {
    guard (1...1000).contains(fps ?? 1) else {
      throw ValidationError("--fps must be 1 to 1000, not \(fps ?? 1)")
    }
  }

  func run() throws {
    let isThere = access(out, F_OK) == 0
    if replace { try Destination.check(folder: out, madeOf: [source]) }
    let importer = CorpusImport(to: out, licence: licence, replacing: replace)
    let imported = try importer.importing(
      source, frameInterval: fps.map { FrameInterval(framesPerSecond: $0) })
    if replace, isThere { Terminal.tell("note: replaced \(out)") }
    let manifest = imported.corpus.manifest
    if json {
      return try Terminal.say(
        json: Made(
          directory: imported.corpus.directory, frames: manifest.frameCount, width: manifest.size.width,
          height: manifest.size.height, notes: imported.notes))
    }
    for note in imported.notes { Terminal.tell("note: \(note)") }
    Terminal.say("\(imported.corpus.directory): \(manifest.frameCount) frames of at most \(manifest.size)")
  }
}
