import ArgumentParser
import Capture
import Console
import Corpora
import Dock
import Glibc
import HTTPService
import Harness
import Imagery
import RemoteControl
import Replay

/// `swiftwing view --serve`: the viewfinder for browsers, until ^C.
struct ViewfinderService: Sendable {
  private let source: any CameraSource
  /// The reason why this source was chosen; nil if the user named it.
  private let sourceReason: String?
  private let options: ServeOptions
  private let longSide: Int
  private let motion: MotionRequest?
  private let isJSON: Bool
  private let port: UInt16

  /// Checks the options.
  /// - Throws: an error about the source or an option.
  init(view: View, port: UInt16) throws {
    let usual = view.source == nil ? UsualSource.here() : nil
    source = try SourceSpecification(view.source ?? usual?.specification ?? "").makeSource(
      corpusRoots: CorpusRoots.standard())
    sourceReason = usual?.reason
    let wanted = view.size ?? "1280x720"
    guard let size = PixelSize(wanted), size.shortSide >= 16, size.longSide <= 8192 else {
      throw ValidationError("--size \(wanted.prefix(40)) is not WxH with sides from 16 to 8192")
    }
    if let text = view.motion {
      guard let request = MotionRequest(text) else {
        throw ValidationError("--motion \(text.prefix(40)) is not iio or iio:NAME")
      }
      motion = request
    } else {
      motion = nil
    }
    options = view.service
    longSide = size.longSide
    isJSON = view.json
    self.port = port
  }

  func run() async throws {
    // Handles signals before anything is announced, because another program may end this one right after the announcement.
    Interrupts.keep()
    let dock = DockController(battery: battery)
    let (hub, token) = (ViewfinderHub(try configuration(dock)), try options.token())
    let motion = try follow(hub.session.rotation)
    let buttons = try options.listen { dock.note($0) }
    await hub.begin()
    if let trouble = await hub.lookTrouble {
      Terminal.tell("note: \(trouble) Until the look can be read, nothing that would have it is taken.")
    }
    let server = try serve(hub, token)
    let local = offerSocket(server)
    announce(server, token, local: local)
    if let sourceReason { Terminal.tell("note: \(sourceReason)") }
    let signal = await Interrupts.wait()
    // A second signal ends the program without waiting for the camera.
    let second = Interrupts.Watch { _ in
      local?.stop()
      _exit(Interrupts.status)
    }
    defer { second.end() }
    motion?.end()
    for device in buttons { device.end() }
    local?.stop()
    await hub.end()
    server.stop()
    if isJSON { try Terminal.say(line: ServeEvent(event: "stopped")) }
    throw ExitCode(128 + signal)
  }

  /// The power supply on the camera's USB device; nil if the source is not a device node.
  private var battery: (@Sendable () -> DockBattery)? {
    let node = String(source.specification.prefix { $0 != "?" })
    guard node.hasPrefix("/dev/") else { return nil }
    return { DockPowerSupply(node: node).battery() }
  }

  private func configuration(_ dock: DockController) throws -> ViewfinderConfiguration {
    var configuration = ViewfinderConfiguration(source: source)
    configuration.sourceReason = sourceReason
    configuration.dock = ViewfinderDock(dock)
    configuration.lenses = try options.lenses()
    configuration.recordings = try options.folder(options.recordings, "--recordings")
    configuration.photos = try options.folder(options.photos, "--photos")
    configuration.spines = try options.books()
    configuration.quality = options.quality ?? 80
    configuration.longSide = longSide
    if let pause = options.pause { configuration.pause = .milliseconds(Int64(pause * 1000)) }
    return configuration
  }

  private func serve(_ hub: ViewfinderHub, _ token: AccessToken) throws -> ViewfinderServer {
    let address = options.listen ?? "127.0.0.1"
    do {
      return try ViewfinderServer(
        hub, address: address, port: port, certificate: try options.tls(), token: token,
        names: options.name.map { [$0] } ?? [])
    } catch let error as HTTPServer.Failure {
      // The reason of a shortage names its remedy.
      let remedy =
        error.isShortage ? "" : "; choose another port or address, or end the program that uses it"
      throw Failure("cannot serve at \(address):\(port): \(error.reason)\(remedy)", .sourceUnavailable)
    }
  }

  /// Creates the local socket.
  /// - Returns: nil if that fails. The failure is reported, and browsers are served nevertheless.
  private func offerSocket(_ server: ViewfinderServer) -> LocalSocket? {
    do { return try LocalSocket(server) } catch {
      Terminal.tell(
        "note: `swiftwing remote` finds this viewfinder only by --url, because its socket \(error.path) cannot be made: \(error.reason)"
      )
      return nil
    }
  }

  /// Follows the orientation of the device, if requested.
  private func follow(_ rotation: RotationCoordinator) throws -> MotionTracker? {
    guard let motion else { return nil }
    return try MotionTracker(motion, rotation: rotation) { state in
      guard case .lost(let reason) = state else { return }
      Terminal.tell("the motion sensor is lost, \(reason); pictures keep their angle until it is back")
    }
  }

  private func announce(_ server: ViewfinderServer, _ token: AccessToken, local: LocalSocket?) {
    let url = server.url(with: token)
    guard isJSON else {
      Terminal.say("\(url)\nopen this address in a browser; ^C ends it")
      if let pin = server.pin { Terminal.say("the key of its certificate is \(pin)") }
      return
    }
    try? Terminal.say(
      line: ServeEvent(
        event: "listening", url: url, port: Int(server.port), token: token.text, socket: local?.path,
        pin: server.pin))
  }
}

/// A line of `view --serve --json`.
private struct ServeEvent: Encodable {
  var event: String
  var url: String?
  var port: Int?
  var token: String?
  var socket: String?
  var pin: String?
}
