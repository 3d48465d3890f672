import ArgumentParser
import Console
import Imagery
import ScanStation
import System

struct LiveScan: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live", abstract: "Scan books in front of a camera into the library (the default).",
    usage: """
      swiftwing scan [--source SRC] [--recognizer local|hybrid|backend]
                     [--no-fallback] [--server URL] [--library [FOLDER]]
                     [--location TEXT]
                     [--shutter auto|key] [--interval SECONDS] [--count N]
                     [--level fast|accurate] [--patience SECONDS]
                     [--wait SECONDS] [--upload-size legible|N]
                     [--budget PROFILE]
                     [--recognizer-engine openvino|tesseract]
                     [--languages LANGUAGES] [--models FOLDER]
                     [--catalogue FILE] [--json]
      swiftwing scan [--photos] FILE|FOLDER... [--library [FOLDER]] [OPTIONS]
      swiftwing scan --drain [--library [FOLDER]] [OPTIONS]
      swiftwing scan score --truth FOLDER [OPTIONS]
      """,
    discussion: """
      With --photos or a file name, photographs are read instead; see `swiftwing scan photos --help`. \
      --drain delivers the queued scans, without a camera. To measure how well photographs are read, see \
      `swiftwing scan score --help`.

      A photo is taken when the picture is steady and new. With --interval, photos are taken at that \
      interval instead; with --shutter key, when Enter is pressed. A photo is acknowledged when it is on \
      disk. It is delivered exactly once, if necessary by the next scan into the same library. ^C ends \
      cleanly, and the scans that are still queued are named. --location TEXT is the place of the shelves, \
      such as "living room, 3"; the library keeps it with each photo.

      --recognizer selects how photos become books. local reads them on this machine. hybrid reads them on \
      this machine and sends the text to a backend. backend sends the image, at the size of --upload-size. \
      If a way fails, the next takes over, in the order backend, hybrid, local. If the backend cannot be \
      reached, the scan first waits for it, for the time of --patience. With --no-fallback, scans wait in \
      the queue for the backend.

      --upload-size legible, the default, reads each photo at full size and at a few smaller sizes up to \
      1920 pixels, and sends the cheapest by --budget that keeps 98 % of its words; if none does, the one \
      that keeps most. If nothing can be read, the height of the letters decides, and a line reports this. A \
      number of pixels sends every photo with that long side, without reading it first.

      SWIFTWING_TALARIA_URL is the backend if --server is not given. SWIFTWING_TALARIA_PIN (sha256//…) is \
      its public key, which is then trusted, whoever issued the certificate. Without a pin, CURL_CA_BUNDLE, \
      SSL_CERT_FILE and SSL_CERT_DIR name the trusted issuers.

      --json prints one object per line: {"event": "photo"|"book"|"delivered"|"fallback"|"session"|…}.
      """)

  @Option(help: ArgumentHelp("What to capture from.", valueName: "SRC")) var source = "/dev/video0"
  @Option(
    help: ArgumentHelp("Folder of the library; by default $XDG_DATA_HOME/swiftwing.", valueName: "FOLDER"))
  var library: LibraryChoice?
  @OptionGroup var place: ShelfLocation
  @Option(help: ArgumentHelp("What triggers a photo.", valueName: "auto|key")) var shutter = ShutterChoice
    .auto
  @Option(help: ArgumentHelp("Seconds between photos.", valueName: "SECONDS")) var interval: Double?
  @Option(help: ArgumentHelp("End after this many photos.", valueName: "N")) var count: Int?
  @Option(
    help: ArgumentHelp("The seconds to wait for deliveries at the end.", valueName: "SECONDS")) var wait =
    30.0
  @Flag(help: "Print one JSON object per line.") var json = false
  @OptionGroup var ways: WayOptions
  @OptionGroup var options: RecognitionOptions
  @OptionGroup var catalogue: CataloguePlace

  func validate() throws {
    if let interval, !(0.1...86_400).contains(interval) {
      throw ValidationError("--interval must be 0.1 to 86400 seconds, not \(interval)")
    }
    if let count, count < 1 { throw ValidationError("--count must be at least 1, not \(count)") }
    guard (0...86_400).contains(wait) else {
      throw ValidationError("--wait must be 0 to 86400 seconds, not \(wait)")
    }
  }

  func run() async throws {
    Interrupts.keep()
    _ = try TokenProfiles.named(ways.budget)
    try await LiveRun(try LiveStation(self), self).run()
  }
}

enum ShutterChoice: String, CaseIterable, ExpressibleByArgument { case auto, key }
