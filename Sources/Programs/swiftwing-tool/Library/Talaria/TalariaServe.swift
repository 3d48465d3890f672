import ArgumentParser
import BookScan
import Console
import Foundation
import HTTPService
import Library
import System
import TalariaServer

struct TalariaServe: AsyncParsableCommand, RepeatsOptions {
  static let repeatedOptions: Set = ["--fault"]
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Receive scans on this machine, read them and report their books, until ^C.",
    usage: """
      swiftwing talaria serve [--port N] [--fault ENDPOINT=FAULT[*N]]...
                              [--tls KIND] [--ca FILE] [--level fast|accurate]
                              [--models FOLDER] [--heartbeat SECONDS] [--json]
      """,
    discussion: """
      It serves the whole protocol on 127.0.0.1: uploads of images and of text, event streams, cleanup. Without TLS, only \
      clients on this machine accept it.

      With --tls it prints SWIFTWING_TALARIA_PIN=sha256//…. That is all `swiftwing scan` needs to trust it: the key is then \
      trusted whoever issued the certificate. The dates and the host of the certificate must still be right.

      It serves \(limits.connections) connections and \(limits.uploadBytes >> 20) MB of uploads at once, each at most 80 MB. \
      More is answered with 503 and Retry-After. A request is answered with 408 if its head takes over \(Int(limits.headSeconds)) s, or \
      if its body is slower than \(Int(limits.bytesPerSecond / 1024)) kB a second.

      --fault breaks an endpoint on purpose. ENDPOINT is \(Endpoint.allCases.map(\.rawValue).joined(separator: ", ")); FAULT is \
      \(Fault.names.joined(separator: ", ")). With *N, only the next N requests are affected.
      """)

  private static let limits = ServerLimits()

  @Option(help: ArgumentHelp("Port to listen on; 0 for any that is free.", valueName: "N")) var port: UInt16 =
    0
  @Option(help: ArgumentHelp("Break an endpoint on purpose; may be repeated.", valueName: "ENDPOINT=FAULT"))
  var fault: [FaultOption] = []
  @Option(
    help: ArgumentHelp(
      "Use TLS with a new certificate: good, expired or wrong-host. Clients trust it by the printed pin, or by --ca.",
      valueName: "KIND")) var tls: CertificateKind?
  @Option(
    help: ArgumentHelp(
      "Write the certificate to this file, for the client's SSL_CERT_FILE or CURL_CA_BUNDLE.",
      valueName: "FILE"))
  var ca: String?
  @Option(help: ArgumentHelp("How carefully to read: fast or accurate.", valueName: "LEVEL")) var level =
    RecognitionLevel.accurate
  @Option(
    help: ArgumentHelp(
      "Folder of the models that `swiftwing models` or `make models` fetched.", valueName: "FOLDER"))
  var models: String?
  @Option(help: ArgumentHelp("Seconds between heartbeats on an event stream.", valueName: "SECONDS"))
  var heartbeat = 30.0
  @Flag(help: "Print one JSON object per line.") var json = false

  func validate() throws {
    guard heartbeat >= 0.1, heartbeat <= 3600 else {
      throw ValidationError("--heartbeat must be 0.1 to 3600 seconds, not \(heartbeat)")
    }
    guard ca == nil || tls != nil else { throw ValidationError("--ca also needs --tls") }
  }

  func run() async throws {
    Interrupts.keep()
    let reader = try ShelfReader(models: models, level: level)
    let certificate = try tls.map { try $0.makeCertificate() }
    if let ca, let certificate { try write(certificate.pem, to: ca) }
    let (tell, reading) = (ServeLog(json: json), reader)
    let server = try start(certificate) { try await reading.answer($0, tell) }
    // A server that cannot start says only why.
    for note in reader.notes { Terminal.tell("note: \(note)") }
    for option in fault { option.add(to: server.faults) }
    tell.listening(at: server.url, reader: reader.name, pin: certificate?.pin)
    let signal = await Interrupts.wait()
    server.stop()
    tell.stopped(server.statistics)
    throw ExitCode(128 + signal)
  }

  private func start(
    _ certificate: ServerCertificate?, _ recognizer: @escaping TalariaServer.Recognizer
  ) throws -> TalariaServer {
    do {
      return try TalariaServer(
        port: port, certificate: certificate, heartbeat: heartbeat, recognizer: recognizer)
    } catch {
      throw DeliveryError(
        .unavailable, "serve on port \(port)", reason: error.reason,
        remedy: error.remedy.map { "\($0) with --port" } ?? "then try again")
    }
  }

  private func write(_ pem: String, to path: String) throws {
    let destination = try Destination(path, option: "--ca")
    do throws(SystemError) {
      try DurableFile.replace(path, with: Array(pem.utf8), mode: 0o644)
    } catch {
      throw DeliveryError(
        .storage, "write the certificate to \(path)", reason: error.reason,
        remedy: "check the folder and who may write to it")
    }
    destination.tellReplaced()
  }
}

/// The kind of certificate that `--tls` uses.
enum CertificateKind: String, ExpressibleByArgument, CaseIterable {
  case good, expired
  case wrongHost = "wrong-host"

  func makeCertificate() throws -> ServerCertificate {
    do {
      return switch self {
      case .good: try ServerCertificate()
      case .expired: try ServerCertificate(validFor: -3600)
      case .wrongHost: try ServerCertificate(host: "talaria.invalid")
      }
    } catch {
      throw DeliveryError(
        .unavailable, "make a certificate", reason: "OpenSSL failed",
        remedy: "try again, or serve without --tls")
    }
  }
}
