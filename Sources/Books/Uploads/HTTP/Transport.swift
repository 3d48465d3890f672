import CCurl
import Glibc
import Library
import Log
import System

/// HTTP over libcurl's multi interface: one thread for many exchanges, with connections that are kept and reused.
///
/// The thread lives as long as the transport. When the transport is released, exchanges that are still running end as cancelled.
final class Transport: Sendable {
  private let settings: TransportSettings
  private let trust: ServerTrust
  private let engine: TransferEngine
  private let thread: NamedThread
  private let ticks: Ticks

  /// - Throws: `badInput` if the settings have a malformed pin or unusable certificates; `unavailable` if libcurl or its thread does not start.
  init(
    _ settings: TransportSettings, ticks: @escaping Ticks = monotonicMilliseconds
  ) throws(DeliveryError) {
    self.settings = settings
    trust = try ServerTrust(settings)
    self.ticks = ticks
    engine = try TransferEngine(maxConnections: settings.maxConnections, ticks: ticks)
    do throws(ResourceShortage) {
      thread = try NamedThread(name: "transport") { [engine] in engine.run() }
    } catch {
      engine.end()
      throw .noNetwork("no thread could be started for it (\(String(cString: strerror(error.errno))))")
    }
  }

  deinit {
    engine.post(.stop)
    thread.join()
  }

  /// Sends the request, and returns once the head of the answer has arrived.
  ///
  /// Redirects within the server are followed, at most three; a redirect to another host is refused.
  func open(_ request: HTTPRequest) async throws(TransferError) -> HTTPStream {
    var request = request
    for _ in 0...3 {
      let stream = try await send(request)
      guard [301, 302, 303, 307, 308].contains(stream.head.status) else { return stream }
      request.url = try redirection(stream, of: request)
      stream.cancel()
    }
    throw TransferError(kind: .redirected, host: hostName(request.url), reason: "it redirects without end")
  }

  private func redirection(_ stream: HTTPStream, of request: HTTPRequest) throws(TransferError) -> String {
    let host = stream.transfer.host
    guard let location = stream.head.headers["location"], let here = WebAddress(request.url),
      let target = here.resolving(location)
    else { throw TransferError(kind: .invalid, host: host, reason: "it redirects without a valid address") }
    guard target.origin == here.origin else {
      throw TransferError(
        kind: .redirected, host: host, reason: "it redirects to another host, \(target.host)")
    }
    guard request.method == .get || [307, 308].contains(stream.head.status) else {
      throw TransferError(
        kind: .invalid, host: host,
        reason: "it redirects with status \(stream.head.status), which would drop the data that is sent")
    }
    return target.text
  }

  private func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPStream {
    guard let address = WebAddress(request.url) else {
      throw TransferError(
        kind: .invalid, host: "the server", reason: "its address is neither http nor https",
        ownRemedy: "check the address")
    }
    guard address.isSecure || (address.isLoopback && settings.pin == nil) else {
      let reason = address.isLoopback ? "a pin needs https" : "its address is not https"
      let remedy = "use its https address" + (address.isLoopback ? ", or unset SWIFTWING_TALARIA_PIN" : "")
      throw TransferError(kind: .untrusted, host: address.host, reason: reason, ownRemedy: remedy)
    }
    let began = ticks()
    let transfer = try Transfer(request, host: address.host, settings: settings, trust: trust, ticks: ticks)
    engine.post(.start(transfer))
    try await wait(for: transfer) { $0.headIsComplete || $0.outcome != nil }
    let (head, isComplete, outcome) = transfer.state.withLock { ($0.head, $0.headIsComplete, $0.outcome) }
    do throws(TransferError) { if !isComplete { try outcome?.get() } } catch {
      Log.queue.warning("\(request.method.rawValue) to \(address.host) failed: \(error)")
      throw error
    }
    Log.queue.debug(
      "\(request.method.rawValue) to \(address.host) answered \(head.status) after \(ticks() - began) ms")
    return HTTPStream(head: head, transfer: transfer, transport: self)
  }

  func resume(_ transfer: Transfer) { engine.post(.resume(transfer)) }
  func release(_ transfer: Transfer) { engine.post(.release(transfer)) }
  func cancel(_ transfer: Transfer) { engine.post(.cancel(transfer)) }

  /// Suspends until `condition` holds. Cancelling the task cancels the transfer.
  func wait(
    for transfer: Transfer, until condition: @escaping @Sendable (Transfer.State) -> Bool
  ) async throws(TransferError) {
    while !transfer.state.withLock({ condition($0) }) {
      await withTaskCancellationHandler {
        await withCheckedContinuation { reader in
          let isReady = transfer.state.withLock { state in
            if condition(state) { return true }
            state.reader = reader
            return false
          }
          if isReady { reader.resume() }
        }
      } onCancel: {
        cancel(transfer)
      }
    }
  }

  private func hostName(_ url: String) -> String { WebAddress(url)?.host ?? "the server" }
}
