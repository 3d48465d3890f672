import ArgumentParser
import BookScan
import Foundation
import Testing

@testable import ScanStation
@testable import swiftwing_tool

/// The command lines of `swiftwing scan`.
@Suite struct ScanCommandLineTests {
  private func command(_ arguments: [String]) throws -> any ParsableCommand {
    try Invocation(["scan"] + arguments).command()
  }

  private func photos(_ arguments: [String]) throws -> [String]? {
    (try command(arguments) as? ScanPhotos)?.named
  }

  @Test(arguments: [
    ["--photos", "a.jpg", "b.jpg"], ["a.jpg", "b.jpg"], ["photos", "a.jpg", "b.jpg"],
    ["photos", "--photos", "a.jpg", "b.jpg"], ["--json", "--photos", "a.jpg", "b.jpg"],
    ["--json", "a.jpg", "b.jpg"], ["--level", "fast", "a.jpg", "b.jpg"],
    ["a.jpg", "b.jpg", "--level", "fast"],
    ["--photos", "a.jpg", "b.jpg", "--level", "fast"], ["--photos=a.jpg", "b.jpg"],
  ])
  func photographsAreNamedWithTheOptionOrWithoutIt(arguments: [String]) throws {
    #expect(try photos(arguments) == ["a.jpg", "b.jpg"])
  }

  @Test(arguments: [[], ["--source", "/dev/video1"], ["live"], ["--json", "--count", "1"]])
  func withoutPhotographsItIsACamera(arguments: [String]) throws {
    #expect(try command(arguments) is LiveScan)
  }

  @Test(arguments: [
    (["--nothing"], "swiftwing scan --help"), (["live", "--nothing"], "swiftwing scan --help"),
    (["--photos", "a.jpg", "--nothing"], "swiftwing scan photos --help"),
    (["score", "--nothing"], "swiftwing scan score --help"),
  ])
  func helpIsTheCommandsOwn(arguments: [String], help: String) {
    #expect(CommandPath(["scan"] + arguments).help == help)
  }

  @Test func aLibraryMayBeNamedOrNot() throws {
    func photos(_ arguments: [String]) throws -> (LibraryChoice?, [String]) {
      let photos = try #require(try command(arguments) as? ScanPhotos)
      return (photos.library, photos.named)
    }
    #expect(try photos(["--photos", "a.jpg", "--library"]) == (.own, ["a.jpg"]))
    #expect(try photos(["a.jpg", "--library", "--json"]) == (.own, ["a.jpg"]))
    #expect(try photos(["--library", "--again", "--photos", "a.jpg"]) == (.own, ["a.jpg"]))
    #expect(try photos(["--photos", "a.jpg", "--library", "books"]) == (.folder("books"), ["a.jpg"]))
    #expect(try photos(["--photos", "a.jpg"]) == (nil, ["a.jpg"]))
    #expect(try (command(["--library"]) as? LiveScan)?.library == .own)
    #expect(try (command(["--drain"]) as? ScanDrain)?.library == nil)
    #expect(try (command(["--drain", "--library"]) as? ScanDrain)?.library == .own)
    #expect(try (command(["--json", "--drain", "--library=b"]) as? ScanDrain)?.library == .folder("b"))
    #expect(throws: (any Error).self) { try command(["--photos", "a.jpg", "--again"]) }
    #expect(throws: (any Error).self) { try command(["--photos", "a.jpg", "--location", "hall"]) }
    #expect(throws: (any Error).self) { try command(["--photos", "a.jpg", "--worklist", "a.csv"]) }
    #expect(throws: (any Error).self) {
      try command(["--photos", "a.jpg", "--holdings", "a.csv", "--library"])
    }
    let compared = ["--photos", "a.jpg", "--holdings", "a.csv", "--worklist", "new.csv", "--page"]
    #expect(throws: (any Error).self) { try command(compared + ["./new.csv"]) }
    #expect((try command(compared + ["new.html"]) as? ScanPhotos)?.page == "new.html")
    let placed = try #require(
      try command(["--photos", "a.jpg", "--library", "--location", "hall"]) as? ScanPhotos)
    #expect(placed.place.location == "hall")
    #expect((try command(["--location", "hall"]) as? LiveScan)?.place.location == "hall")
    #expect(throws: (any Error).self) { try command(["--photos", "a.jpg", "--recognizer", "hybrid"]) }
    #expect(throws: ValidationError.self) { try LibraryChoice.folder("/etc/hostname").directory() }
  }

  /// Help texts use one program name and one default, and break no word at 80 columns.
  @Test func helpSpeaksOneDialect() {
    let commands: [any ParsableCommand.Type] = [
      LiveScan.self, ScanPhotos.self, ScanDrain.self, ScoreCommand.self,
    ]
    for command in commands {
      let text = SwiftwingCommands.helpMessage(for: command, columns: 80)
      #expect(text.contains("USAGE: swiftwing scan") && !text.contains("swiftwing-"))
      #expect(text.contains("--version") && text.contains("--level"))
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
      #expect(text.contains("(the default)") == (command == LiveScan.self))
    }
  }

  @Test(arguments: [
    (["--help"], "--source"), (["-h"], "--source"), (["--photos", "a", "-h"], "--photos may be left out"),
    (["score", "-h"], "--truth"), (["help"], "--source"), (["help", "score"], "--truth"),
  ])
  func helpIsThatOfTheCommand(arguments: [String], says: String) throws {
    var command = try command(arguments)
    let exit = #expect(throws: (any Error).self) { try command.run() }
    #expect(exit.map { SwiftwingCommands.fullMessage(for: $0).contains(says) } == true)
  }

  @Test(arguments: [["--version"], ["photos", "--version"], ["--photos", "a.jpg", "--version"]])
  func everyCommandTellsTheVersion(arguments: [String]) {
    let exit = #expect(throws: (any Error).self) { try command(arguments) }
    #expect(exit.map { SwiftwingCommands.fullMessage(for: $0) } == "0.1.0")
  }

  @Test func languagesWithoutDataAreRefusedWithThoseThatAreThere() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in ["eng", "rus", "osd", "chi_sim"] {
      try Data().write(to: folder.appending(path: "\(name).traineddata"))
    }
    let installed = InstalledLanguages(folders: ["/nowhere", folder.path])
    try installed.check("eng+rus")
    try installed.check("chi_sim")
    for request in ["xyz", "eng+xyz", "osd+xyz"] {
      let error = #expect(throws: ValidationError.self) { try installed.check(request) }
      let missing = request.hasPrefix("osd") ? "osd" : "xyz"
      #expect(
        error?.message
          == "--languages: there is no data for \(missing); there are chi_sim, eng, rus; install tesseract-ocr-\(missing)"
      )
    }
    for request in ["", "+", "eng+", "../eng", "e", "ёёё"] {
      #expect(throws: ValidationError.self) { try installed.check(request) }
    }
    // If these folders have no language data, the recogniser checks the language itself.
    try InstalledLanguages(folders: ["/nowhere"]).check("xyz")
  }

  @Test func scoreOfNoPhotographIsNoSuccess() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "ground_truth.json")
    try Data(#"{"photos": [{"file": "a.jpg", "complete": true, "spines": []}]}"#.utf8).write(to: file)
    #expect(try ScoreCommand.photos(in: folder.path, printed: nil, only: "a").count == 1)
    let error = #expect(throws: ValidationError.self) {
      try ScoreCommand.photos(in: folder.path, printed: nil, only: "nothing")
    }
    #expect(error?.message.contains("lists no photo whose name contains nothing") == true)
    try Data(#"{"photos": []}"#.utf8).write(to: file)
    #expect(throws: ValidationError.self) {
      try ScoreCommand.photos(in: folder.path, printed: nil, only: nil)
    }
    try Data("[]".utf8).write(to: file)
    let shape = #expect(throws: PhotoFileError.self) {
      try ScoreCommand.photos(in: folder.path, printed: nil, only: nil)
    }
    #expect(shape?.reason == "it does not list photographs and their spines")
  }

  /// A title is shortened only if the output is a terminal.
  @Test func linesOfBooksAreWholeInAFile() {
    let title = String(repeating: "Dune ", count: 40)
    let spine = FoundSpine(
      id: UUID(), title: title, author: "Frank Herbert", isbn: nil, confidence: 1, certainty: .sure,
      spine: UUID(), copy: 1,
      isNew: true)
    #expect(LiveText.line(spine, columns: 80).count == 80)
    #expect(LiveText.line(spine, columns: nil) == "100 %  \(title) / Frank Herbert")
  }

  @Test func idsAreInTheCaseOfTheQueue() throws {
    let key = UUID()
    let lines = LiveJSON.lines(.failed(key, reason: "x"))
    #expect(lines.first?.photo == key.uuidString.lowercased())
  }

  private static func folder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
