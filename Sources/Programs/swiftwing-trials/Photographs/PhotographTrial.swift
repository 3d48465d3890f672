import Foundation
import Glibc
import System
import Trials

struct PhotographOutcome: Encodable {
  var kills = 0
  /// The number of kills after which some photographs were still to be read.
  var killsAtWork = 0
  var photographs = 0
  var books = 0
  /// The books, sightings, spines and receipts that only the undisturbed library has.
  var lost: [String] = []
  /// The books, sightings, spines and receipts that only the library of the killed runs has.
  var doubled: [String] = []
  var imagesLeft = 0
  /// The contradictions in the library; empty if there are none.
  var findings: [String] = []
  var seconds = 0.0

  var isClean: Bool {
    books > 0 && killsAtWork > 0 && lost.isEmpty && doubled.isEmpty && imagesLeft == 0 && findings.isEmpty
  }
}

/// Kills a scan of a folder of photographs at random moments, lets the last one finish, and compares its library with an
/// undisturbed one.
struct PhotographTrial {
  let folder: String
  let kills: Int
  let seed: UInt64
  /// The longest time from a process's first line until it is killed, milliseconds.
  let lifetime: Int
  /// A folder of photographs for the real recogniser; nil for drawn photographs and the scripted recogniser.
  let photographs: String?

  private var library: String { "\(folder)/killed" }
  private var undisturbed: String { "\(folder)/undisturbed" }

  func run() async throws -> PhotographOutcome {
    let began = MonotonicTime.now()
    var outcome = PhotographOutcome()
    var chance = SplitMix64(seed: seed)
    let photos = try photographs ?? make(&chance)
    outcome.photographs = try FileManager.default.contentsOfDirectory(atPath: photos).count
    for _ in 0..<kills {
      try live(over: photos, library, for: Int.random(in: 0..<lifetime, using: &chance))
      outcome.kills += 1
      let receipts = (try? await PhotographRecord.read(library))?.receipts ?? 0
      outcome.killsAtWork += receipts < outcome.photographs ? 1 : 0
    }
    try live(over: photos, library, for: nil)
    try live(over: photos, undisturbed, for: nil)
    let (record, truth) = (
      try await PhotographRecord.read(library), try await PhotographRecord.read(undisturbed)
    )
    outcome.books = record.books
    (outcome.lost, outcome.doubled) = record.differences(from: truth)
    outcome.findings = try await StoreContents.read(library).findings
    outcome.imagesLeft = try FileManager.default.contentsOfDirectory(atPath: "\(library)/images").count
    outcome.seconds = (MonotonicTime.now() - began).milliseconds / 1000
    return outcome
  }

  /// Runs one process over the photographs.
  /// - Parameter milliseconds: the time from its first line until it is killed; nil to let it finish.
  private func live(over photos: String, _ library: String, for milliseconds: Int?) throws {
    let output = try ProcessPipe()
    let (program, arguments) =
      photographs == nil
      ? (RunningProgram.sibling("swiftwing-trials"), ["photographs-victim", photos, library])
      : (Victim.program, ["scan", "photos", photos, "--library", library, "--json"])
    let process = try ChildProcess(
      program, arguments, output: .descriptor(output.writer), errors: .nothing)
    output.closeWriter()
    if let milliseconds {
      _ = output.isReadable(within: 60_000)
      usleep(UInt32(milliseconds) * 1000)
      process.send(SIGKILL)
    }
    output.readToEnd(keeping: 1 << 20)
    _ = process.wait()
  }

  /// Makes eight photographs for each kill, at least ten. Every five overlap and show one shelf.
  private func make(_ chance: inout SplitMix64) throws -> String {
    let photos = "\(folder)/photographs"
    try FileManager.default.createDirectory(atPath: photos, withIntermediateDirectories: true)
    let picture = try ScriptedPhoto.picture()
    var titles: [String] = []
    for number in 0..<max(10, kills * 8) {
      if number.isMultiple(of: 5) { titles = (0..<14).map { _ in ScriptedPhoto.title(&chance) } }
      let first = number % 5 * 2
      let script = (0..<6).map { slot in
        let certainty = slot == 5 ? "doubtful" : "book"
        return "\(certainty)=\(titles[first + slot])@\(slot)"
      }
      let wait = "wait=\(Int.random(in: 0...20, using: &chance))"
      let commands = script + ["unlikely=\(titles[13])@7", wait]
      let bytes = picture + ScriptedPhoto.ending(commands.joined(separator: " "))
      try Data(bytes).write(to: URL(filePath: "\(photos)/\(number + 1).jpg"))
    }
    return photos
  }
}
