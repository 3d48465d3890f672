public import ArgumentParser
import Capture
import Console
import Delivery
import Glibc
public import ScanStation

struct LiveScan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Scan what is in front of a camera into the library (the default).",
    usage: """
      swiftwing scan [--source SRC] [--recognizer local|hybrid|backend]
                     [--no-fallback] [--server URL] [--library FOLDER]
                     [--shutter auto|key] [--interval SECONDS] [--count N]
                     [--level fast|accurate] [--patience SECONDS]
                     [--wait SECONDS] [--recognizer-engine openvino|tesseract]
                     [--languages LANGUAGES] [--models FOLDER] [--json]
      swiftwing scan [--photos] FILE... [OPTIONS]
      swiftwing scan score --truth FOLDER [OPTIONS]
      """,
    discussion: """
      With --photos or the name of a file, photographs are read; see `swiftwing scan photos --help`. How much of those with a known truth is \
      read rightly, `swiftwing scan score --help` tells.

      Photos are taken when the picture is steady and new; with --interval that often, with --shutter key when Enter is \
      pressed (which always takes one). Each is on disk before it is acknowledged, and is delivered once, if need be by \
      the next scan into the same library. ^C ends cleanly and says what is queued.

      local reads the photo here; hybrid sends the text that was read here; backend sends the image, at most 1024 pixels \
      long. When a way fails, the next has its turn: backend, hybrid, local. A backend out of reach is given --patience \
      first; with --no-fallback scans wait for it in the queue.

      SWIFTWING_TALARIA_URL and SWIFTWING_TALARIA_PIN (sha256//…) name the backend and its public key, which then stands for whoever issued \
      its certificate; without a pin CURL_CA_BUNDLE, SSL_CERT_FILE and SSL_CERT_DIR say whom to trust. With --json one object \
      a line: {"event": "photo"|"book"|"delivered"|"fallback"|"session"|…}.
      """)

  @Option(help: ArgumentHelp("The camera.", valueName: "SRC")) var source = "/dev/video0"
  @Option(help: ArgumentHelp("How photos become books.", valueName: "local|hybrid|backend"))
  var recognizer = RecognitionWay.local
  @Flag(name: .customLong("no-fallback"), help: "Only this way; scans wait for the backend.")
  var isStrict = false
  @Option(help: ArgumentHelp("The backend's address, https.", valueName: "URL")) var server: String?
  @Option(
    help: ArgumentHelp("Where the books go; $XDG_DATA_HOME/swiftwing when not given.", valueName: "FOLDER"))
  var library: String?
  @Option(help: ArgumentHelp("Who presses it.", valueName: "auto|key")) var shutter = ShutterChoice.auto
  @Option(help: ArgumentHelp("A photo that often.", valueName: "SECONDS")) var interval: Double?
  @Option(help: ArgumentHelp("End after so many photos.", valueName: "N")) var count: Int?
  @Option(help: ArgumentHelp("How long a backend may be out of reach.", valueName: "SECONDS"))
  var patience = 10.0
  @Option(
    help: ArgumentHelp("How long to wait for deliveries at the end.", valueName: "SECONDS")) var wait = 30.0
  @Flag(help: "One JSON object a line.") var json = false
  @OptionGroup var options: RecognitionOptions

  func validate() throws {
    if let interval, !(0.1...86_400).contains(interval) {
      throw ValidationError("--interval \(interval) is not within 0.1 and 86400 seconds")
    }
    if let count, count < 1 { throw ValidationError("--count \(count) is not at least 1") }
    for (name, value) in [("--patience", patience), ("--wait", wait)] where !(0...86_400).contains(value) {
      throw ValidationError("\(name) \(value) is not within 0 and 86400 seconds")
    }
  }

  func run() async throws {
    let parts: LiveStation
    do { parts = try LiveStation(self) } catch let error as CameraError {
      Terminal.tell("swiftwing: \(error)")
      throw ExitCode(error.isUnavailability ? 4 : 2)
    } catch let error as DeliveryError {
      Terminal.tell("swiftwing: \(error)")
      throw ExitCode(error.kind == .badInput ? 2 : 1)
    }
    try await LiveRun(parts, self).run()
  }
}

enum ShutterChoice: String, CaseIterable, ExpressibleByArgument { case auto, key }

extension RecognitionWay: ExpressibleByArgument {}
