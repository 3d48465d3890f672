import ArgumentParser
import Console
import Foundation
import Library
import ScanStation
import System
import Trials
import Uploads

/// Damages one cell of a library at a time, and runs every command that reads a library on it.
struct DamageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "damage", abstract: "Look at damaged libraries with every command: none may end by a signal."
  )

  @Option(help: "How many cells.") var cells = 500
  @Option(help: "Seed of the cells, and of what they hold.") var seed: UInt64 = 1
  @Option(help: "Another program to look with.") var program: String?
  @Flag(help: "Only deliver what is queued in the folder, as a program that scans does.") var deliver = false
  @Argument(help: "An empty folder.") var folder: String

  func run() async throws {
    if deliver { return try await DamageTrial.deliver(folder) }
    let outcome = try await DamageTrial(
      directory: folder, cells: cells, seed: seed,
      program: program ?? Victim.program
    ).run()
    try Terminal.say(line: outcome)
    guard outcome.isClean else { throw ExitCode.failure }
  }
}

struct DamageTrial {
  let directory: String
  let cells: Int
  let seed: UInt64
  let program: String

  struct Outcome: Codable {
    var commands = 0
    /// The number of commands by exit status.
    var statuses: [String: Int] = [:]
    /// The damages after which a command ended by a signal, or did not report its failure in exactly one sentence.
    var broken: [String] = []
    var isClean: Bool { broken.isEmpty && commands > 0 }
  }

  func run() async throws -> Outcome {
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let library = try await DamagedLibrary(making: "\(directory)/whole")
    let list = "\(directory)/list.csv"
    try Data("title,author,isbn\nDune,Frank Herbert,9780441172719\nBook 1 1,Somebody,\n".utf8).write(
      to: URL(filePath: list))
    var chance = SplitMix64(seed: seed)
    var outcome = Outcome()
    for number in 0..<cells {
      let copy = "\(directory)/damaged"
      let damage = try library.damage(in: copy, &chance)
      let commands = Self.commands(copy, list)
      let command = commands[number % commands.count]
      let isDelivery = command.first == "damage"
      let said = try ChildProcess.run(
        isDelivery ? RunningProgram.sibling("swiftwing-trials") : program, command, keeping: 1 << 16,
        keepingErrors: 1 << 16)
      outcome.commands += 1
      outcome.statuses["\(said.end.status)", default: 0] += 1
      if let flaw = Self.flaw(of: said) {
        outcome.broken.append("\(damage): \(command.joined(separator: " ")): \(flaw)")
      }
    }
    return outcome
  }

  /// Returns the flaw of an output; nil if the command succeeded, or reported its failure in one sentence on one line.
  private static func flaw(of said: ProgramOutput) -> String? {
    if said.end.signal != 0 { return "signal \(said.end.signal)" }
    guard [0, 1, 2].contains(said.end.status) else { return "status \(said.end.status)" }
    guard said.end.status != 0 else { return nil }
    let lines = String(decoding: said.errors, as: UTF8.self).split(separator: "\n")
    let told = lines.filter { $0.hasPrefix("Error: ") || $0.hasPrefix("error: ") || $0.contains("Cannot ") }
    return told.count == 1 && told[0].utf8.count < 1000 ? nil : "it says \(lines.prefix(3))"
  }

  private static func commands(_ copy: String, _ list: String) -> [[String]] {
    let commands = [
      ["library", "list", "--all"], ["library", "list", "--json", "--all"],
      ["library", "list", "--doubtful"],
      ["library", "search", "book", "--all"], ["library", "search", "9780441172719"],
      ["library", "show", "1", "2", "3", "4"], ["library", "show", "1", "2", "--json"],
      ["library", "export", "--all", "--format", "json"], ["library", "export"],
      ["library", "review", "--json"], ["library", "review", "--page", "\(copy)/page.html"],
      ["library", "duplicates"], ["library", "duplicates", "--merge"], ["library", "undo", "--list"],
      ["library", "undo", "3"], ["library", "edit", "2", "--title", "Other"], ["library", "delete", "3"],
      ["library", "merge", "1", "4"], ["library", "import", list], ["queue", "list"],
      ["queue", "list", "--json"],
      ["queue", "retry"], ["queue", "drop", "--failed"], ["queue", "drop", "--all"],
    ]
    return commands.map { $0 + ["--library", "\(copy)/\(Store.fileName)"] }
      + Array(repeating: ["damage", "--deliver", copy], count: 4)
  }

  /// Does the work of a station: reads the known spines, then delivers the queue.
  static func deliver(_ directory: String) async throws {
    let store = try Store(directory: directory)
    _ = SpineRegister(try await store.library.spines(limit: SpineRegister.limit))
    let policy = RetryPolicy(delays: [0.001], longestPause: 0.01, defaultPause: 0.001, offlineInterval: 0.001)
    let reader = QueueReader(
      store: store, reader: ScanningProcess.reader(), journal: ScanJournal(keepsCut: true), retry: policy)
    // Ends the reading when it reports trouble: data that cannot be read now cannot be read later.
    let reading = Task {
      await reader.run(untilDrained: true) { event in
        if case .storageTrouble = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await reading.value
  }
}
