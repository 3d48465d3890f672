import ArgumentParser
import Console
import Foundation
import JSON
import RemoteControl
import System

struct RemoteWatch: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print each change of the viewfinder's state, until ^C.",
    usage: RemotePlace.usage("watch"),
    discussion: """
      During a recording, its time-code is shown as HH:MM:SS:FF. If the connection is lost, a line says so, \
      and the old state is no longer shown; the connection is made again as soon as the viewfinder is back.
      """)

  @OptionGroup var place: RemotePlace
  @Flag(help: "Print one JSON object per line.") var json = false

  func run() throws {
    var link = try place.link()
    while true {
      follow(link)
      link.end()
      RemoteWatchText(json: json).lost()
      link = waitForLink()
    }
  }

  /// Prints changes until the link is lost.
  private func follow(_ link: ControlLink) {
    let shown = Locked<RemoteSummary?>(nil)
    let isOver = Locked(false)
    let ticker = try? NamedThread(name: "timecode") { Self.showTimecode(shown, isOver) }
    var (state, text) = (FollowedState(), RemoteWatchText(json: json))
    while let message = link.receive() {
      switch state.take(message) {
      case .broken: link.end()
      case .other: continue
      case .changed:
        guard let document = state.document, let summary = try? RemoteSummary(document) else { continue }
        shown.withLock { $0 = summary }
        text.show(summary, revision: state.revision)
      }
    }
    state.lose()
    shown.withLock { $0 = nil }
    isOver.withLock { $0 = true }
    ticker?.join()
    Terminal.endProgress()
  }

  /// Shows the time code twenty times a second, on a terminal only.
  private static func showTimecode(_ shown: Locked<RemoteSummary?>, _ isOver: Locked<Bool>) {
    guard Terminal.isInteractive else { return }
    while !isOver.withLock({ $0 }) {
      if let summary = shown.withLock({ $0 }) {
        Terminal.progress(RemoteText.line(summary, at: Date.now.timeIntervalSince1970))
      }
      usleep(50_000)
    }
  }

  private func waitForLink() -> ControlLink {
    while true {
      usleep(500_000)
      if let link = try? place.link() { return link }
    }
  }
}

/// The lines of `remote watch`.
struct RemoteWatchText {
  let json: Bool
  private var last: RemoteSummary?

  init(json: Bool) { self.json = json }

  private struct Line: Encodable {
    var event: String
    var revision: Int?
    var isRecording: Bool?
    var isAppActive: Bool?
    var selectedFrameRate: Double?
    var recordingStartTime: Double?
    var timecode: String?
    var session: String?
    var message: String?
    var recordingTrouble: String?
  }

  /// Prints a line, unless the summary is the same as the last summary.
  mutating func show(_ summary: RemoteSummary, revision: Int) {
    guard summary != last else { return }
    last = summary
    let now = Date.now.timeIntervalSince1970
    guard json else {
      Terminal.endProgress()
      return Terminal.say(RemoteText.line(summary, at: now))
    }
    try? Terminal.say(
      line: Line(
        event: "state", revision: revision, isRecording: summary.isRecording,
        isAppActive: summary.isAppActive, selectedFrameRate: summary.frameRate,
        recordingStartTime: summary.recordingStart, timecode: summary.timecode(at: now)?.description,
        session: summary.session, message: summary.message, recordingTrouble: summary.recordingTrouble))
  }

  func lost() {
    guard json else { return Terminal.say("the connection to the viewfinder is lost; waiting for it") }
    try? Terminal.say(line: Line(event: "lost"))
  }
}
