import CCurl
import Glibc
import Library
import System

/// The loop of the network thread.
///
/// `@unchecked Sendable`: `multi` is created before the thread starts. Afterwards only the thread uses it, except for `curl_multi_wakeup`, which
/// libcurl allows from any thread. `running` is used by the thread alone. `mail` and `hasEnded` are behind a lock, so that no one wakes a released
/// handle.
final class TransferEngine: @unchecked Sendable {
  enum Command {
    case start(Transfer)
    case resume(Transfer)
    case release(Transfer)
    case cancel(Transfer)
    case stop
  }

  private struct Mail {
    var commands: [Command] = []
    var hasEnded = false
  }

  private let multi: UnsafeMutableRawPointer
  private let ticks: Ticks
  private let mail = Locked(Mail())
  private var running: [UnsafeMutableRawPointer: Transfer] = [:]
  private var isStopping = false

  /// - Parameter start: creates libcurl's multi handle; nil on failure.
  /// - Throws: `unavailable` on failure.
  init(
    maxConnections: Int, start: () -> UnsafeMutableRawPointer? = curl_multi_init,
    ticks: @escaping Ticks = monotonicMilliseconds
  ) throws(DeliveryError) {
    try loadLibcurl()
    guard let multi = start() else { throw .noNetwork("libcurl does not start") }
    self.multi = multi
    self.ticks = ticks
    _ = curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, maxConnections)
    _ = curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, maxConnections)
  }

  func post(_ command: Command) {
    mail.withLock { mail in
      guard !mail.hasEnded else { return }
      mail.commands.append(command)
      curl_multi_wakeup(multi)
    }
  }

  func run() {
    ignoreBrokenPipes()
    while !isStopping {
      obey()
      var count: CInt = 0
      curl_multi_perform(multi, &count)
      collect()
      endTheSilent()
      guard !isStopping else { break }
      curl_multi_poll(multi, nil, 0, pollTimeout(), nil)
    }
    for transfer in running.values { finish(transfer, .failure(transfer.cancelled)) }
    end()
  }

  /// Releases libcurl's handle; no command can be posted afterwards. Call it on the engine's thread, or if there is no thread.
  func end() {
    mail.withLock { mail in
      mail.hasEnded = true
      curl_multi_cleanup(multi)
    }
  }

  /// Blocks SIGPIPE: a server that has left must not end the process. With `CURLOPT_NOSIGNAL` libcurl leaves this to its caller.
  private func ignoreBrokenPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  private func obey() {
    let commands = mail.withLock { mail in
      defer { mail.commands = [] }
      return mail.commands
    }
    for command in commands {
      switch command {
      case .start(let transfer): start(transfer)
      case .resume(let transfer):
        if running[transfer.easy] != nil { curl_easy_pause(transfer.easy, curl_pause_none) }
      case .cancel(let transfer): finish(transfer, .failure(transfer.cancelled))
      case .release(let transfer):
        transfer.released = transfer.released ?? ticks()
        if running[transfer.easy] != nil { curl_easy_pause(transfer.easy, curl_pause_none) }
      case .stop: isStopping = true
      }
    }
  }

  private func start(_ transfer: Transfer) {
    guard transfer.state.withLock({ $0.outcome == nil }) else { return }
    transfer.lastByte = ticks()
    running[transfer.easy] = transfer
    let code = curl_multi_add_handle(multi, transfer.easy)
    guard code != CURLM_OK else { return }
    running[transfer.easy] = nil
    let reason = String(cString: curl_multi_strerror(code))
    transfer.end(
      .failure(
        TransferError(
          kind: .invalid, host: transfer.host, reason: reason, ownRemedy: TransferError.freeingMemory)))
  }

  private func collect() {
    var easy: UnsafeMutableRawPointer?
    var code = CURLE_OK
    while curl_multi_next_done(multi, &easy, &code) {
      guard let easy, let transfer = running[easy] else { continue }
      finish(transfer, code == CURLE_OK ? .success(()) : .failure(transfer.error(code)))
    }
  }

  /// Ends transfers from silent servers. A transfer whose reader is slow does not count as silent.
  private func endTheSilent() {
    let now = ticks()
    for transfer in running.values {
      if let released = transfer.released, now - released >= Transfer.grace {
        finish(transfer, .failure(transfer.cancelled))
        continue
      }
      guard let silence = transfer.request.silence, now - transfer.lastByte >= silence else { continue }
      if transfer.state.withLock({ $0.isPaused || !$0.bytes.isEmpty }) {
        transfer.lastByte = now
        continue
      }
      let reason = "no sign of life for \(Double(silence) / 1000) seconds"
      finish(transfer, .failure(TransferError(kind: .timedOut, host: transfer.host, reason: reason)))
    }
  }

  private func finish(_ transfer: Transfer, _ outcome: Result<Void, TransferError>) {
    if running.removeValue(forKey: transfer.easy) != nil { curl_multi_remove_handle(multi, transfer.easy) }
    transfer.end(outcome)
  }

  private func pollTimeout() -> CInt {
    let now = ticks()
    let waits = running.values.compactMap { transfer in
      transfer.released.map { max(Transfer.grace - (now - $0), 1) }
        ?? transfer.request.silence.map { max($0 - (now - transfer.lastByte), 1) }
    }
    return CInt(min(waits.min() ?? 60_000, 60_000))
  }
}

extension DeliveryError {
  static func noNetwork(_ reason: String) -> DeliveryError {
    DeliveryError(
      .unavailable, "use the network", reason: reason,
      remedy: "free some memory or end other programs and try again; scans stay queued")
  }
}

extension Transfer {
  var cancelled: TransferError { TransferError(kind: .cancelled, host: host, reason: "it was cancelled") }

  func error(_ code: CURLcode) -> TransferError {
    let kind: TransferError.Kind =
      switch code {
      case CURLE_SSL_PINNEDPUBKEYNOTMATCH: .wrongKey
      case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
        CURLE_SSL_CONNECT_ERROR:
        .untrusted
      case CURLE_OPERATION_TIMEDOUT: .timedOut
      case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_WRITE_ERROR,
        CURLE_BAD_CONTENT_ENCODING:
        .invalid
      default: .unreachable
      }
    let reason = String(cString: curl_easy_strerror(code))
    return TransferError(
      kind: kind, host: host, reason: reason.prefix(1).lowercased() + reason.dropFirst(),
      ownRemedy: Self.ownRemedy(code))
  }

  /// The remedy for a cause on this side. Nil for others.
  private static func ownRemedy(_ code: CURLcode) -> String? {
    switch code {
    // The address is also taken away if libcurl does not accept the pin or a CA setting.
    case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL: "check the address, the pin and the CA settings"
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: TransferError.freeingMemory
    default: nil
    }
  }
}
