package import EngineScenarios
import Foundation
import Glibc
import Imagery
package import Probes
import Recording
import System

/// Records in a separate process and kills it repeatedly; or lets it record until its small disk is full; or lets it record for a
/// long time.
package struct FilmTrial: Sendable {
  private let directory: String
  /// A fault of recordings, passed on to the process; nil for none.
  private let fault: InjectedFault?

  package init(directory: String, fault: InjectedFault?) {
    self.directory = directory
    self.fault = fault
  }

  private var corpus: String { "\(directory)/stock" }

  // MARK: Killed

  package func killed(_ kills: Int, seed: UInt64) throws -> FilmTrialOutcome {
    _ = try FilmStock.make(in: corpus)
    var random = SplitMix64(seed: seed)
    var outcome = FilmTrialOutcome(isSecondReaderAsked: FilmReader.hasSecondReader)
    for _ in 0..<kills {
      outcome.lives.append(try life(Int.random(in: 0...2_500, using: &random)))
    }
    return outcome
  }

  private func life(_ milliseconds: Int) throws -> FilmTrialOutcome.Life {
    let path = "\(directory)/killed.mp4"
    unlink(path)
    unlink("\(directory)/killed.jpg")
    let said = try ProcessPipe()
    let process = try start(["--for-ever", path], said)
    _ = said.isReadable(within: 10_000)
    usleep(UInt32(milliseconds) * 1000)
    process.send(SIGKILL)
    said.readToEnd(keeping: 1 << 24)
    _ = process.wait()
    let times = Self.lines(said).compactMap { if case .came(let time) = $0 { time } else { nil } }
    var life = FilmTrialOutcome.Life(milliseconds: milliseconds, came: times.count)
    guard let first = times.first, let last = times.last else { return life }
    let film = FilmReader(path)
    life.frames = film.facts?.frames.count ?? 0
    let end = film.facts?.frames.last.map { $0.time + FilmStock.interval.nanoseconds } ?? 0
    // The exposure of the last delivered frame goes on for one interval after its time.
    life.lacking = Double(last - first + FilmStock.interval.nanoseconds - end) / 1e6
    // The first frame is not written before the second.
    life.trouble = life.frames == 0 && times.count < 4 ? nil : film.trouble
    return life
  }

  // MARK: Alone

  /// Records without a kill.
  /// - Parameter seconds: the length of the recording; nil to record until the disk is full.
  package func alone(for seconds: Double?) throws -> FilmTrialOutcome {
    _ = try FilmStock.make(in: corpus)
    let path = "\(directory)/film.mp4"
    let said = try ProcessPipe()
    let arguments = seconds.map { ["--seconds", "\($0)", "--preview"] } ?? ["--for-ever"]
    let process = try start(arguments + [path], said)
    said.readToEnd(keeping: 1 << 26)
    _ = process.wait()
    var outcome = FilmTrialOutcome(isSecondReaderAsked: FilmReader.hasSecondReader)
    for case .ended(let ending) in Self.lines(said) { outcome.ending = ending }
    let film = FilmReader(path)
    outcome.trouble = film.trouble
    if let facts = film.facts {
      outcome.frames = facts.frames.count
      outcome.bytes = Int(facts.frames.last?.bytes.upperBound ?? 0)
      let steps = zip(facts.frames.dropFirst(), facts.frames).map { $0.time - $1.time }
      outcome.gaps = steps.count { $0 > FilmStock.interval.nanoseconds * 3 / 2 }
    }
    return outcome
  }

  private func start(_ arguments: [String], _ said: ProcessPipe) throws -> ChildProcess {
    let broken = fault.map { ["--fault", "\($0)"] } ?? []
    let process = try ChildProcess(
      Victim.program,
      ["trial", "filming", "--corpus", corpus] + broken + arguments,
      output: .descriptor(said.writer))
    said.closeWriter()
    return process
  }

  /// Parses the process's output. A last line without a newline was cut off and is ignored.
  private static func lines(_ said: ProcessPipe) -> [FilmingProcess.Line] {
    let text = String(decoding: said.bytes, as: UTF8.self)
    let whole = text.hasSuffix("\n") ? text[...] : text[..<(text.lastIndex(of: "\n") ?? text.startIndex)]
    return whole.split(separator: "\n").compactMap { FilmingProcess.Line($0) }
  }
}

/// A film read by our own reader and, if it is installed, by ffprobe, which must count the same number of frames.
struct FilmReader {
  let facts: MovieFacts?
  /// The reason why a reader failed or the two disagree; nil if all is well.
  let trouble: String?

  static let hasSecondReader =
    (try? ChildProcess.run("ffprobe", ["-version"], keeping: 4096, errors: .nothing))?.end.status == 0

  init(_ path: String) {
    do throws(RecordingError) {
      let read = try MovieFacts(path)
      facts = read
      trouble = Self.hasSecondReader ? Self.second(path, read) : nil
    } catch {
      facts = nil
      trouble = "\(error)"
    }
  }

  private static func second(_ path: String, _ facts: MovieFacts) -> String? {
    let frames = facts.frames.count
    let arguments = [
      "-v", "quiet", "-protocol_whitelist", "file", "-count_packets", "-select_streams", "v:0",
      "-show_entries", "stream=nb_read_packets", "-of", "csv=p=0", "file:\(path)",
    ]
    guard let said = try? ChildProcess.run("ffprobe", arguments, keeping: 4096, errors: .nothing) else {
      return "ffprobe cannot be started; install ffmpeg"
    }
    let text = String(decoding: said.output.prefix { (48...57).contains($0) }, as: UTF8.self)
    guard let count = Int(text) else { return frames == 0 ? nil : "ffprobe cannot read it" }
    // If a file ends in the middle of a frame, ffprobe counts that frame too.
    return count == frames || (facts.isCut && count == frames + 1)
      ? nil : "ffprobe finds \(count) frames, our reader \(frames)"
  }
}
