public import Foundation
public import HTTPService
import System

/// A complete Talaria backend in one process. It works by itself, and commits faults on request.
///
/// It serves HTTP/1.1 with one thread per connection, so that each fault can be produced exactly: a reset, half an event, slow reading.
public final class TalariaServer: Sendable {
  /// Finds the books in an upload.
  public typealias Recognizer = @Sendable (Upload) async throws -> [FoundBook]

  /// Called with every request before it is answered, on the thread of its connection.
  public typealias Witness = @Sendable (SeenRequest) -> Void

  /// Thrown by a recogniser that can never read the upload. The client is then told not to send it again.
  public struct Unreadable: Error {
    public init() {}
  }

  public struct Statistics: Sendable, Equatable {
    public var connections = 0
    public var uploads = 0
    public var streams = 0
    public var cleanups = 0
    /// The number of clients and uploads that were refused for lack of room.
    public var refused = 0
    /// The number of distinct jobs, one per idempotency key.
    public var jobs = 0
    public var openJobs = 0
  }

  public var port: UInt16 { http.port }
  public let faults: FaultScript
  /// The address of the server, such as `http://127.0.0.1:8080`.
  public var url: String { "\(certificate == nil ? "http" : "https")://127.0.0.1:\(port)" }

  private var certificate: ServerCertificate? { http.certificate }
  let recognizer: Recognizer
  let heartbeat: TimeInterval
  let witness: Witness?
  var limits: ServerLimits { http.limits }
  let jobs = Jobs()
  let tally = Locked(Statistics())
  private let http: HTTPServer
  private let uploads: Budget

  public struct Failure: Error, CustomStringConvertible {
    public let port: UInt16
    /// The system's error message.
    public let reason: String
    /// The remedy. Nil if the reason contains it.
    package var remedy: String? = "choose another port"
    public var description: String {
      "Cannot serve on port \(port): \(reason)\(remedy.map { "; \($0)" } ?? "")."
    }
  }

  /// Starts serving on 127.0.0.1.
  /// - Parameters:
  ///   - port: 0 for any free port.
  ///   - heartbeat: the seconds between heartbeats on a stream.
  public convenience init(
    port: UInt16 = 0, certificate: ServerCertificate? = nil, faults: FaultScript = FaultScript(),
    heartbeat: TimeInterval = 30, limits: ServerLimits = ServerLimits(), witness: Witness? = nil,
    recognizer: @escaping Recognizer
  ) throws(Failure) {
    try self.init(
      port: port, certificate: certificate, faults: faults, heartbeat: heartbeat, limits: limits,
      clock: monotonicSeconds, witness: witness, recognizer: recognizer)
  }

  /// - Parameter clock: measures how slow a client is.
  init(
    port: UInt16 = 0, certificate: ServerCertificate? = nil, faults: FaultScript = FaultScript(),
    heartbeat: TimeInterval = 30, limits: ServerLimits, clock: @escaping SecondsClock,
    witness: Witness? = nil, recognizer: @escaping Recognizer
  ) throws(Failure) {
    self.faults = faults
    self.heartbeat = heartbeat
    self.witness = witness
    self.recognizer = recognizer
    uploads = Budget(limits.uploadBytes)
    do throws(HTTPServer.Failure) {
      http = try HTTPServer(port: port, certificate: certificate, limits: limits, clock: clock)
    } catch {
      throw Failure(port: error.port, reason: error.reason)
    }
    do throws(HTTPServer.Failure) {
      try http.begin { [weak self] client in
        Self.serve(client) { [weak self] in self }
      }
    } catch {
      throw Failure(port: error.port, reason: error.reason, remedy: nil)
    }
  }

  /// Ends every connection. Running streams are cut off.
  public func stop() {
    http.stop()
    jobs.close()
  }

  deinit { stop() }

  public var statistics: Statistics {
    var statistics = tally.withLock { $0 }
    statistics.connections = http.counts.connections
    statistics.refused += http.counts.refused
    let counts = jobs.counts
    statistics.jobs = counts.made
    statistics.openJobs = counts.open
    return statistics
  }

  /// - Parameter server: returns the server before each request, so that an open connection does not keep it alive.
  private static func serve(_ client: HTTPServer.Client, _ server: () -> TalariaServer?) {
    guard let first = server() else { return }
    var connection = Connection(
      channel: client.channel, number: client.number, limits: first.limits, budget: first.uploads)
    guard client.hasSlot else { return connection.refuse(first) }
    while let server = server(), connection.serveOne(server) {}
    client.channel.sayGoodbye()
  }
}
