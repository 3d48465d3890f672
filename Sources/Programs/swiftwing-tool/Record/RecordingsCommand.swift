import ArgumentParser
import Console
import Foundation
import Imagery
import Recording

struct RecordingsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "recordings", abstract: "List the videos of a folder, the newest first.",
    usage: "swiftwing recordings [FOLDER] [--limit N] [--json]",
    discussion: """
      All figures are read from the files: a recording whose writer was killed has the frames that can be \
      played. Files that SwiftWing did not record are named on standard error.
      """)

  @Argument(help: ArgumentHelp("The folder; by default the current one.", valueName: "FOLDER"))
  var folder = "."
  @Option(help: ArgumentHelp("List the newest N at most.", valueName: "N")) var limit = 10_000
  @Flag(help: "Print the list as JSON.") var json = false

  struct Line: Encodable {
    var path: String
    /// The codec by its name in `record --codec`, or by the file's tag if there is no such name.
    var codec: String
    /// The codec's tag in the file.
    var tag: String
    var width: Int
    var height: Int
    /// The clockwise rotation in degrees; nil if the file specifies something else.
    var rotation: Int?
    var frames: Int
    var seconds: Double
    var bytes: Int64
    var modified: Date
    var cut: Bool
    var thumbnail: String?

    init(_ entry: RecordingList.Entry) {
      path = entry.path
      tag = entry.codec
      bytes = entry.byteCount
      codec = entry.recordingCodec?.rawValue ?? entry.codec
      width = entry.size.width
      height = entry.size.height
      rotation = entry.orientation?.rotation.rawValue
      frames = entry.frameCount
      cut = entry.isCut
      thumbnail = entry.thumbnailPath
      seconds = Double(entry.duration / .milliseconds(1)) / 1000
      modified = Date(timeIntervalSince1970: entry.modified)
    }

    var text: String {
      if bytes == 0 {
        return "\(PlainText.printable(path))  empty: its recorder was ended before the first picture"
      }
      let length = String(format: "%d frames in %.1f s  %.1f MB", frames, seconds, Double(bytes) / 1e6)
      let name = PlainText.printable("\(path)  \(width)×\(height) \(codec)")
      return "\(name)  \(length)\(cut ? ", ends in the middle" : "")"
    }
  }

  func validate() throws {
    guard (1...1_000_000).contains(limit) else {
      throw ValidationError("--limit must be 1 to 1000000, not \(limit)")
    }
  }

  func run() throws {
    let list = try RecordingList(folder: folder, limit: limit)
    let lines = list.entries.map { Line($0) }
    if json { try Terminal.say(json: lines) } else { for line in lines { Terminal.say(line.text) } }
    for note in list.notes { Terminal.tell("note: \(PlainText.printable(note))") }
    if lines.isEmpty, list.notes.isEmpty {
      let place = folder == "." ? "this folder" : PlainText.printable(folder)
      Terminal.tell("note: there is no video in \(place); `swiftwing record --out film.mp4` makes one")
    }
  }
}
