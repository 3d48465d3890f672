import ArgumentParser
import BookScan
import Capture
import Console
import Corpora
import Foundation
import Harness
import Imagery
import ScanStation
import System
import Testing

@testable import Library
@testable import Uploads
@testable import swiftwing_tool

/// The command lines of `swiftwing`: the command that each runs, or the message that refuses it.
@Suite struct CommandLineTests {
  static let named: [(String, any ParsableCommand.Type)] = [
    ("view", View.self), ("bench", Bench.self), ("bisect a b", BisectCommand.self),
    ("qualify --device x", Qualify.self),
    ("compare a b", Compare.self),
    ("report render a", ReportCommand.Render.self), ("report validate a", ReportCommand.Validate.self),
    ("report merge a --out b", ReportCommand.Merge.self), ("report add a", ReportAdd.self),
    ("report trend", ReportTrend.self), ("report prune --keep 9", ReportPrune.self),
    ("report export --csv", ReportExport.self), ("devices", Devices.self),
    ("photo a.jpg --out b.jpg", PhotoCommand.self), ("tokens 1x1", Tokens.self),
    ("record --out b", RecordCommand.self), ("recordings", RecordingsCommand.self),
    ("corpus list", CorpusCommand.List.self), ("corpus verify", CorpusCommand.Verify.self),
    ("corpus import a --out b", CorpusImportCommand.self), ("corpus make", CorpusCommand.Make.self),
    ("controls list", ControlsList.self), ("controls get iso", ControlsGet.self),
    ("controls set iso=100", ControlsSet.self), ("controls watch", ControlsWatch.self),
    ("controls save a", ControlsSave.self), ("controls apply a", ControlsApply.self),
    ("controls presets", ControlsPresets.self), ("controls forget a", ControlsForget.self),
    ("settings list", SettingsList.self), ("settings get a", SettingsGet.self),
    ("settings set a b", SettingsSet.self), ("settings unset a", SettingsUnset.self),
    ("settings watch", SettingsWatchCommand.self),
    ("glass show --display a", GlassShow.self),
    ("doctor", Doctor.self), ("models", Models.self), ("scan", LiveScan.self),
    ("scan a.jpg", ScanPhotos.self), ("scan score --truth a", ScoreCommand.self),
    ("queue list", QueueList.self), ("queue retry", QueueRetry.self), ("queue drop --all", QueueDrop.self),
    ("library list", LibraryList.self), ("library search a", LibrarySearch.self),
    ("library export", LibraryExport.self), ("library import a", LibraryImport.self),
    ("library show 1", LibraryShow.self), ("library edit 1 --confirm", LibraryEdit.self),
    ("library delete 1 2", LibraryDelete.self), ("library merge 1 2", LibraryMerge.self),
    ("library duplicates", LibraryDuplicates.self), ("library undo 2", LibraryUndo.self),
    ("library add A", LibraryAdd.self), ("library split 1 A B", LibrarySplit.self),
    ("library review", LibraryReview.self), ("library covers", LibraryCovers.self),
    ("catalogue import a.csv --out b", CatalogueImportCommand.self),
    ("catalogue search a", CatalogueSearch.self), ("catalogue match a", CatalogueMatchCommand.self),
    ("catalogue info", CatalogueInfoCommand.self), ("talaria serve", TalariaServe.self),
    ("remote status", RemoteStatus.self),
    ("remote watch", RemoteWatch.self), ("remote record start", RemoteRecord.self),
    ("remote shutter", RemoteShutter.self), ("remote ev -0.7", RemoteBias.self),
    ("remote focus 0.5 0.5 --lock", RemoteFocus.self), ("remote zoom 2", RemoteZoom.self),
    ("remote dock move 0.2 -0.1", RemoteDock.self), ("remote send retry {}", RemoteSend.self),
    ("remote logout", RemoteLogOut.self), ("scan --drain", ScanDrain.self),
    ("trial crash a", CrashCommand.self), ("trial search a", SearchCommand.self),
    ("trial drain a", DrainCommand.self), ("trial protocol a", ProtocolCommand.self),
    ("trial station --source a b", StationTrialCommand.self),
    ("trial recognition", RecognitionTrialCommand.self), ("trial frontier", FrontierTrialCommand.self),
    ("trial victim a b", VictimCommand.self), ("trial serve", ServeCommand.self),
    ("trial film a", FilmCommand.self),
    ("trial filming --corpus a b", FilmingCommand.self), ("trial counted a", CountedCommand.self),
  ]

  @Test(arguments: named.indices) func nameRunsTheCommand(index: Int) throws {
    let (line, kind) = Self.named[index]
    #expect(type(of: try Invocation(words(line)).command()) == kind)
  }

  @Test func everyCommandIsNamedAbove() {
    let all = Self.leaves(SwiftwingCommands.self).map { "\($0)" }.sorted()
    #expect(all == Self.named.map { "\($0.1)" }.sorted())
  }

  /// Without a `commandName`, ArgumentParser derives it from the type by reflection at every start, which takes 2 ms for all
  /// commands.
  @Test func everyCommandSaysItsName() {
    var unasked: [any ParsableCommand.Type] = [SwiftwingCommands.self]
    while let command = unasked.popLast() {
      #expect(command.configuration.commandName != nil, "\(command)")
      unasked += command.configuration.subcommands
    }
  }

  /// Returns all commands without subcommands.
  private static func leaves(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
    let below = command.configuration.subcommands
    return below.isEmpty ? [command] : below.flatMap { leaves($0) }
  }

  // MARK: Refusals

  @Test(arguments: [
    ("nothing", "Unexpected argument 'nothing'; see `swiftwing --help`"),
    ("bench --nothing", "Unknown option '--nothing'; see `swiftwing bench --help`"),
    ("report merge", "Missing expected argument '<REPORT> ...'; see `swiftwing report merge --help`"),
    ("tokens", "Missing expected argument '<WxH> ...'; see `swiftwing tokens --help`"),
    ("scan --nothing", "Unknown option '--nothing'; see `swiftwing scan --help`"),
    ("bench --customer a --customer b", "--customer may not be repeated; see `swiftwing bench --help`"),
    (
      "bench --sarif-file /etc/passwd",
      "cannot point SARIF at /etc/passwd: it is no path from the root of a repository; name one such as Sources/main.swift; see `swiftwing bench --help`"
    ),
    (
      "qualify --device x --note \u{7}",
      "cannot make a report: the note has control characters in it; see `swiftwing qualify --help`"
    ),
    ("scan --photos a --nothing", "Unknown option '--nothing'; see `swiftwing scan photos --help`"),
    ("report prune", "give either --keep or --older-than; see `swiftwing report prune --help`"),
    ("report export --csv --json", "give either --csv or --json; see `swiftwing report export --help`"),
    ("queue drop", "name the scans, or give --failed or --all; see `swiftwing queue drop --help`"),
    ("talaria serve --ca a", "--ca also needs --tls; see `swiftwing talaria serve --help`"),
    (
      "view --listen 10.0.0.5",
      "--listen needs --serve; add it, or leave --listen out; see `swiftwing view --help`"
    ),
    (
      "view --serve --frames 9",
      "--frames has no effect with --serve: the page has a control for it; leave it out; see `swiftwing view --help`"
    ),
    (
      "view --serve 0 --key a --listen 10.0.0.5",
      "--certificate and --key belong together; give both; see `swiftwing view --help`"
    ),
    (
      "view --serve --lens 1=a",
      "--lens 1=a is not FACTOR=SRC, with a factor from 0.1 to 100 that is not 1, such as 2=/dev/video2; see `swiftwing view --help`"
    ),
    (
      "remote status --pin a",
      "--pin also needs --url; without --url, neither token nor key is used; see `swiftwing remote status --help`"
    ),
    (
      "remote send retry []",
      "JSON must be an object, such as '{\"value\":400}'; see `swiftwing remote send --help`"
    ),
    (
      "remote dock wave",
      "dock wave is not an action, or has the wrong values; the usage lists the actions; see `swiftwing remote dock --help`"
    ),
    ("trial crash", "Missing expected argument '<folder>'; see `swiftwing trial crash --help`"),
  ])
  func refusalIsOneSentenceThatNamesTheHelp(line: String, sentence: String) async throws {
    let error = try #require(throws: (any Error).self) { try Invocation(words(line)).command() }
    #expect(Failure.usageSentence(error, words(line)) == sentence)
  }

  @Test(arguments: [
    "view --size 1x1 --size 1x1", "bench --out a --out b", "bench --fault a --fault b",
    "qualify --device=a --device b",
    "compare a b --json --json", "photo a --out b.jpg --out c.jpg", "tokens 1x1 --budget a --budget b",
    "corpus import a --out b --out c", "scan --source a --source b",
    "scan a.jpg --level fast --level accurate",
    "scan --level fast --level fast a.jpg", "scan score --truth a --truth b",
    "queue list --limit 1 --limit 2",
    "library search a --limit 1 --limit=2", "library export --out a --out b",
    "talaria serve --port 1 --port 2",
    "trial crash --kills 1 --kills 2 a",
  ])
  func singleValueOptionIsNotRepeated(line: String) {
    let error = #expect(throws: ValidationError.self) { try Invocation(words(line)).command() }
    #expect(error?.message.hasSuffix(" may not be repeated") == true)
  }

  @Test(arguments: [
    "bench --suite a --suite b --scenario c --scenario d", "qualify --device a --scenario b --scenario c",
    "bench --baseline a --baseline b", "report trend --metric a --metric b",
    "scan --photos a.jpg --photos b.jpg",
    "talaria serve --fault upload=drop --fault stream=reset", "photo a.jpg --out b.jpg -- --out --out",
  ])
  func optionOfSeveralValuesIsRepeated(line: String) {
    // The values may be refused for other reasons, but not because the option is repeated.
    do { _ = try Invocation(words(line)).command() } catch {
      #expect(!SwiftwingCommands.message(for: error).contains("repeated"))
    }
  }

  /// Each command declares its repeatable options, which must be those that collect several values.
  @Test(arguments: leaves(SwiftwingCommands.self).map(\.self).indices)
  func repeatedOptionsAreThoseOfSeveralValues(index: Int) throws {
    let command = Self.leaves(SwiftwingCommands.self)[index]
    let said = (command as? any RepeatsOptions.Type)?.repeatedOptions ?? []
    let help = try JSONDecoder().decode(DumpedHelp.self, from: Data(command._dumpHelp().utf8))
    let collected = help.command.arguments.filter { $0.isRepeating && $0.kind == "option" }
      .flatMap { ($0.names ?? []).map { "--\($0.name)" } }
    #expect(said == Set(collected), "\(command)")
  }

  /// The parts of ArgumentParser's description of a command that this test reads.
  private struct DumpedHelp: Decodable {
    struct Command: Decodable { var arguments: [Argument] }
    struct Argument: Decodable {
      var kind: String
      var isRepeating: Bool
      var names: [Name]?
    }
    struct Name: Decodable { var name: String }
    var command: Command
  }

  // MARK: Help

  @Test func helpListsWhatIsForUsersAndNothingElse() {
    let help = SwiftwingCommands.helpMessage(columns: 80)
    for command in SwiftwingCommands.configuration.subcommands {
      let isListed = help.contains("\n  \(command._commandName) ")
      #expect(isListed == (command != TrialCommand.self), "\(command)")
    }
    for shell in [CompletionShell.bash, .zsh, .fish] {
      let script = SwiftwingCommands.completionScript(for: shell)
      #expect(script.contains("talaria") && !script.contains("victim"))
    }
  }

  /// Help texts use one program name, and no line is wider than 80 columns.
  @Test(arguments: leaves(SwiftwingCommands.self).map(\.self).indices)
  func helpSpeaksOneDialect(index: Int) {
    let command = Self.leaves(SwiftwingCommands.self)[index]
    let text = SwiftwingCommands.helpMessage(for: command, columns: 80)
    #expect(text.contains("USAGE: swiftwing ") && !text.contains("swiftwing-"))
    let isForUsers = !text.contains("USAGE: swiftwing trial")
    #expect(!isForUsers || text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
  }

  @Test(arguments: [
    ("help", "USAGE: swiftwing <subcommand>"), ("help bench", "USAGE: swiftwing bench"),
    ("help scan", "USAGE: swiftwing scan [--source"),
    ("help scan photos", "USAGE: swiftwing scan [--photos]"),
    ("help library search", "USAGE: swiftwing library search"),
  ])
  func helpIsThatOfTheCommand(line: String, usage: String) throws {
    var command = try Invocation(words(line)).command()
    let exit = try #require(throws: (any Error).self) { try command.run() }
    #expect(SwiftwingCommands.fullMessage(for: exit).contains(usage))
  }

  // MARK: Exit statuses

  @Test(
    arguments: [
      (Failure("x", .inconclusive), .inconclusive),
      (CameraError.notFound("/dev/video9", remedy: "none"), .sourceUnavailable),
      (CameraError.broken("/dev/video9", reason: "none"), .sourceUnavailable),
      (CameraError.unsupportedFormat("/dev/video9", wanted: "a", offered: "b"), .usage),
      (CancellationError(), .interrupted), (CocoaError(.fileNoSuchFile), .failed),
      (ScanError.unavailable(what: "a", reason: "b", remedy: "c"), .sourceUnavailable),
      (ScanError.ended(workers: 2, reason: "a"), .usage),
      (PhotoFileError(file: "a", reason: "b"), .usage),
      (PhotoFileError(cannot: "write", file: "a", reason: "b"), .failed),
      (delivery(.badInput), .usage), (delivery(.inUse), .sourceUnavailable),
      (delivery(.unavailable), .sourceUnavailable), (delivery(.cancelled), .interrupted),
      (delivery(.diskFull), .failed), (delivery(.storage), .failed),
    ] as [(any Error, Harness.ExitStatus)])
  func errorHasItsStatus(error: any Error, status: Harness.ExitStatus) {
    #expect(Failure.kind(of: error) == status)
    #expect(ExitCode(status).rawValue == status.rawValue)
  }

  private static func delivery(_ kind: DeliveryError.Kind) -> DeliveryError {
    DeliveryError(kind, "do it", reason: "no", remedy: "none")
  }

  /// Only these commands write a report after an early ^C. Any other command must be ended by the signal.
  @Test func signalsAreKeptForReportsAlone() {
    let keeping = SwiftwingCommands.configuration.subcommands.map { $0._commandName }
      .filter { Invocation([$0]).leavesReport }
    #expect(keeping == ["bench", "qualify"])
  }

  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }
}

/// The program, run as a process.
@Suite struct ToolProcessTests {
  private static let program = RunningProgram.sibling("swiftwing-tool")

  private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
    let said = try ChildProcess.run(Self.program, arguments, keeping: 1 << 20, keepingErrors: 1 << 20)
    return (
      said.end.status, String(decoding: said.output, as: UTF8.self),
      String(decoding: said.errors, as: UTF8.self)
    )
  }

  @Test(
    arguments: [
      (["--version"], 0, "0.1.0\n", ""),
      (["tokens", "1024x768", "--budget", "seed"], 0, "1024×768    seed                  516 tokens\n", ""),
      (["nothing"], 2, "", "swiftwing: Unexpected argument 'nothing'; see `swiftwing --help`\n"),
      (
        ["queue", "list", "--limit", "1", "--limit", "2"], 2, "",
        "swiftwing: --limit may not be repeated; see `swiftwing queue list --help`\n"
      ),
      (
        ["library", "list", "--library", "/nonexistent"], 2, "",
        "swiftwing: Cannot open the library /nonexistent: there is no library there; check its name, or make one with `swiftwing library import FILE --library /nonexistent`.\n"
      ),
      (["bench", "--source", "corpus:nowhere"], 4, "", nil),
      (
        ["recognizer"], 2, "",
        "swiftwing: `recognizer` is started by other commands; run `swiftwing scan` instead\n"
      ),
    ] as [([String], Int32, String, String?)])
  func statusAndWordsAreThoseOfTheTable(
    arguments: [String], status: Int32, output: String, errors: String?
  ) throws {
    let ended = try run(arguments)
    #expect(ended.status == status)
    #expect(ended.output == output)
    if let errors { #expect(ended.errors == errors) } else { #expect(ended.errors.hasPrefix("swiftwing: ")) }
  }

  /// This same program reads photos, in a mode that no user would start by accident.
  @Test func recognizerIsAModeOfThisProgram() throws {
    #expect(RecognitionWorker.Settings().program == Self.program)
    #expect(RecognitionWorker.Settings(arguments: ["a"]).arguments == [Recognizer.name, "a"])
    #expect(RecognitionWorker.Settings(program: "/bin/cat", arguments: ["-"]).arguments == ["-"])
    let arguments = Recognizer.arguments(slower: 5)
    let worker = try RecognitionWorker(.init(choice: .init(engine: .tesseract), arguments: arguments))
    #expect(worker.name.contains("Tesseract"))
    let number = try #require(worker.processIdentifier)
    let line = try Data(contentsOf: URL(filePath: "/proc/\(number)/cmdline")).split(separator: 0)
    #expect(line.map { String(decoding: $0, as: UTF8.self) } == [Self.program, "recognizer"] + arguments)
  }

  /// Otherwise a file of another name would be written: one with U+FFFD for each byte.
  @Test(arguments: ["swiftwing", "swiftwing-tool"]) func anArgumentThatIsNotUTF8IsRefused(name: String) throws
  {
    let script = "exec \"$0\" tokens \"$(printf '1x\\344')\""
    let said = try ChildProcess.run(
      "sh", ["-c", script, RunningProgram.sibling(name)], keeping: 4096, keepingErrors: 4096)
    #expect(said.end.status == 2 && said.output.isEmpty)
    #expect(
      String(decoding: said.errors, as: UTF8.self)
        == "swiftwing: cannot use the argument 1x\u{FFFD}, which is not UTF-8; rename the file, or write the text in UTF-8\n"
    )
  }
}
