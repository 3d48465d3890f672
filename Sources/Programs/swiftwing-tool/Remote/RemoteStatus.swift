import ArgumentParser
import Console
import Foundation
import Harness
import JSON
import RemoteControl
import Settings

struct RemoteStatus: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Print the state of the viewfinder.",
    usage: RemotePlace.usage("status"),
    discussion: "With --json the whole state document is printed; docs/viewfinder.md describes it.")

  @OptionGroup var place: RemotePlace
  @Flag(help: "Print the state document as JSON.") var json = false

  func run() throws {
    let link = try place.link()
    defer { link.end() }
    var state = FollowedState()
    while state.document == nil, let message = link.receive(within: 10), state.take(message) != .broken {}
    guard let document = state.document, let summary = try? RemoteSummary(document) else {
      throw Failure(
        "cannot read the state of the viewfinder: the connection was lost; check that `swiftwing view "
          + "--serve` still runs",
        .sourceUnavailable)
    }
    if json {
      return Terminal.say(document: String(decoding: JSONSerializer.document(document), as: UTF8.self))
    }
    Terminal.say(RemoteText.line(summary, at: Date.now.timeIntervalSince1970))
    for line in RemoteText.details(document) { Terminal.say(line) }
  }
}

/// Texts about a viewfinder.
enum RemoteText {
  /// Returns the status as one line.
  /// - Parameter now: the time in seconds since 1970.
  static func line(_ summary: RemoteSummary, at now: Double) -> String {
    var line = summary.session
    if !summary.isAppActive { line += ", no client watches" }
    if summary.frameRate > 0 { line += String(format: ", %g frames a second", summary.frameRate) }
    if let timecode = summary.timecode(at: now) { line += ", recording \(timecode)" }
    if let message = summary.message { line += ": \(message)" }
    if let trouble = summary.recordingTrouble { line += "; the last recording ended by itself: \(trouble)" }
    return line
  }

  /// Returns further details, one per line.
  static func details(_ document: JSONValue) -> [String] {
    guard let fields = try? JSONFields(document) else { return [] }
    func text(_ key: String, _ name: String) -> String? {
      (try? fields.object(key)).flatMap { $0.members[name] }.flatMap { value in
        switch value {
        case .null: nil
        case .string(let text): text
        case .bool, .integer, .number, .array, .object: value.brief
        }
      }
    }
    let rows: [(String, [String?])] = [
      ("camera", [text("camera", "name"), text("camera", "source"), text("camera", "reason")]),
      ("format", [text("overlay", "resolution"), text("format", "pixelFormat")]),
      (
        "exposure",
        [text("exposure", "mode"), text("overlay", "shutter"), text("overlay", "iso").map { "ISO \($0)" }]
      ),
      ("look", [text("look", "name"), text("look", "trouble")]),
      ("focus", [text("focus", "state")]), ("zoom", [text("zoom", "factor").map { "\($0)×" }]),
      ("photos", [text("photos", "count")]), ("dock", [text("dock", "status")]),
    ]
    return rows.compactMap { name, values in
      let known = values.compactMap { $0 }
      return known.isEmpty ? nil : "\(name): \(known.joined(separator: ", "))"
    }
  }
}
