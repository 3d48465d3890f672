import ArgumentParser
import Capture
import Console
import Display
import Harness
import Imagery
import System

/// `swiftwing glass`: shows the screen's own time to a camera in front of it.
struct GlassCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "glass", abstract: "Show time codes on a screen to a camera in front of it.",
    subcommands: [GlassShow.self])
}

/// `swiftwing glass show`.
struct GlassShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a changing code on a screen, which says when each was shown.",
    usage: "swiftwing glass show --display CARD [--size WxH] [--codes N] [--json]",
    discussion: """
      The screen shows a new QR code ten times a second, until ^C. Each code contains the time at which the \
      previous code appeared, from the kernel's time stamp of that vblank. Leave the desktop first: only one \
      program at a time can show pictures on a card.

      Point a camera of the same machine at the screen, so that the code fills a third of the picture's \
      height or more, and run
        swiftwing bench --source /dev/video0 --scenario latency.photon
      This measures the time from the light of the screen to the presented picture: evidence `photon`.
      """)

  @Option(help: ArgumentHelp("The card of the screen, such as /dev/dri/card0.", valueName: "CARD"))
  var display: String
  @Option(
    help: ArgumentHelp("The size of the mode; by default the one that the screen prefers.", valueName: "WxH"))
  var size: String?
  @Option(help: ArgumentHelp("End after this many codes.", valueName: "N")) var codes: Int?
  @Flag(help: "Print one JSON object at the end.") var json = false

  func validate() throws {
    if let size, PixelSize(size) == nil {
      throw ValidationError("--size \(size.prefix(40)) is not WxH, such as 1920x1080")
    }
    if let codes, codes < 1 { throw ValidationError("--codes must be 1 or more, not \(codes)") }
  }

  func run() async throws {
    let surface: DisplaySurface
    do throws(DisplayError) {
      surface = try DisplaySurface(try DisplayScreen(path: display, size: size.flatMap { PixelSize($0) }))
    } catch {
      throw Failure("\(error)", error.code == .noMode ? .usage : .sourceUnavailable)
    }
    let isOver = Locked(false)
    let watch = Interrupts.Watch { _ in isOver.withLock { $0 = true } }
    defer { watch.end() }
    let show = CodeShow(surface: surface, limit: codes)
    let shown = await show.run { isOver.withLock { $0 } }
    surface.close()
    let outcome = GlassOutcome(mode: "\(surface.mode)", codes: shown, missed: surface.record.missed)
    if json { try Terminal.say(json: outcome) } else { Terminal.say(outcome.text) }
    if watch.isHeard { throw ExitCode(Interrupts.status) }
    if let codes, shown < codes {
      throw Failure(
        "the display \(display) stopped after \(shown) of \(codes) codes; see that it is still connected",
        .sourceUnavailable)
    }
  }
}

/// The result of `glass show`.
struct GlassOutcome: Encodable {
  let mode: String
  let codes: Int
  /// The number of vblanks that passed while a picture was ready.
  let missed: Int

  var text: String { "\(codes) codes shown at \(mode); \(missed) vblanks missed" }
}
