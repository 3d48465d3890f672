import ArgumentParser
import Foundation
import Harness
import Testing

@testable import swiftwing_tool

/// Arguments that begin with a minus and a digit are numbers, not options.
@Suite struct NegativeNumbersTests {
  private func words(_ line: String) -> [String] { line.split(separator: " ").map(String.init) }

  private func refusal(_ line: String) throws -> String {
    let error = try #require(throws: (any Error).self) { try Invocation(words(line)).command() }
    return Failure.usageSentence(error, words(line))
  }

  @Test(arguments: ["--bracket -2,0,2", "--bracket=-2,0,2"]) func exposuresMayBeBelowZero(option: String)
    throws
  {
    let command = try Invocation(words("photo /dev/video0 --out b.jpg \(option)")).command()
    #expect((command as? PhotoCommand)?.camera.biases == [-2, 0, 2])
  }

  @Test(arguments: [
    ("record --out a.mp4 --seconds -1", "--seconds must be 0.1 to 604800, not -1.0"),
    ("record --seconds -.5 --out a.mp4", "--seconds must be 0.1 to 604800, not -0.5"),
    ("record --out a.mp4 --bit-rate -5", "--bit-rate must be 10000 to 1000000000 bits a second, not -5"),
    ("recordings --limit -1", "--limit must be 1 to 1000000, not -1"),
    ("photo a.jpg --out b.jpg --quality -1", "--quality must be 1 to 100"),
    ("photo a.jpg --out b.jpg --rotate -90", "--rotate must be 0, 90, 180 or 270"),
    ("scan --count -1", "--count must be at least 1, not -1"),
    ("talaria serve --port -1", "The value '-1' is invalid for '--port <N>'"),
  ])
  func theNumberIsWhatIsWrong(line: String, sentence: String) throws {
    #expect(try refusal(line).hasPrefix(sentence))
  }

  @Test func aNumberMayStandByItself() throws {
    for line in ["settings set a -5 --file f", "settings set --file f a -5", "settings set a --file f -5"] {
      let command = try #require(try Invocation(words(line)).command() as? SettingsSet)
      #expect(command.key == "a" && command.value == "-5" && command.place.file == "f")
    }
    let list = try #require(try Invocation(words("recordings --json -5")).command() as? RecordingsCommand)
    #expect(list.folder == "-5" && list.json)
    #expect(NegativeNumbers.marked(words("settings set a -- -5")) == words("settings set a -- -5"))
    #expect(NegativeNumbers.marked(words("settings set a -5 -- b")) == words("settings set -- a -5 b"))
  }

  private struct Help: Decodable {
    struct Command: Decodable { var arguments: [Argument]? }
    struct Argument: Decodable {
      var kind: String
      var names: [Name]?
    }
    struct Name: Decodable { var name: String }
    var command: Command
  }

  /// No option of any command treats a negative number as a missing value.
  @Test(arguments: CommandLineTests.named.indices) func noOptionMissesANumber(index: Int) throws {
    let (line, command) = CommandLineTests.named[index]
    let help = try JSONDecoder().decode(Help.self, from: Data(command._dumpHelp().utf8))
    for option in help.command.arguments ?? [] where option.kind == "option" {
      let name = "--\(option.names?.first?.name ?? "")"
      guard !words(line).contains(name) else { continue }
      do { _ = try Invocation(words("\(line) \(name) -7")).command() } catch {
        #expect(!SwiftwingCommands.message(for: error).contains("Missing value"), "\(line) \(name)")
      }
    }
  }
}
