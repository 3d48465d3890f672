import ArgumentParser
import Console

/// The root command with all subcommands. `view` runs in a separate executable, so that it starts in a millisecond.
struct SwiftwingCommands: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swiftwing",
    abstract: "A capture-and-scan engine for V4L2 cameras, and the harness that proves it.",
    discussion: """
      SRC is the source: a camera (/dev/videoN), a recording (corpus:NAME or corpus:PATH), a drawn scene \
      (simulated:WxH@FPS) or a simulated camera with physics (sensor:WxH@FPS). Options follow a question \
      mark: corpus:shelf-pan?format=NV12&loop=1.

      Exit status: 0 pass, 1 failed or regressed, 2 usage or bad input, 3 inconclusive or incomparable, 4 \
      source, backend or recogniser unavailable, 130 interrupted.
      """,
    version: SwiftwingVersion.text,
    subcommands: [
      View.self, Bench.self, Qualify.self, Compare.self, BisectCommand.self, ReportCommand.self, Devices.self,
      PhotoCommand.self,
      RecordCommand.self, RecordingsCommand.self, ControlsCommand.self, SettingsCommand.self,
      GlassCommand.self,
      Tokens.self, CorpusCommand.self, ScanCommand.self, QueueCommand.self, LibraryCommand.self,
      CatalogueCommand.self, TalariaCommand.self, RemoteCommand.self, Doctor.self, Models.self,
      TrialCommand.self,
    ])
}
