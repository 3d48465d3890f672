import ArgumentParser
import Console
import Corpora

struct Devices: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "devices",
    abstract: "List the cameras and corpora found, with their formats.")

  @Flag(help: "Print JSON.") var json = false

  func run() throws {
    let found = DeviceCatalogue.find(corpusRoots: CorpusRoots.standard())
    if json { return try Terminal.say(json: found) }
    for entry in found.sources {
      Terminal.say("\(entry.source)\n  \(entry.name)")
      for name in entry.stableNames ?? [] { Terminal.say("  \(name)") }
      if entry.kind == "v4l2" { Terminal.say("  driver \(entry.driver), \(entry.bus)") }
      for format in entry.formats { Terminal.say("  \(format)") }
    }
    for problem in found.problems { Terminal.tell("note: \(problem)") }
    if found.sources.isEmpty {
      Terminal.tell(
        "note: no camera and no corpus was found; plug a camera in, or name a folder of corpora with "
          + "SWIFTWING_CORPUS")
    }
  }
}
