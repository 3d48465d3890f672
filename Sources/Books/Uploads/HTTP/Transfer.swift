import CCurl
import Glibc
import System

/// One HTTP exchange. The engine's thread fills it, and one task reads it.
///
/// The memory of an answer is bounded: beyond `highWater` unread bytes libcurl stops reading from the connection until the reader has taken them.
///
/// `@unchecked Sendable`: `easy`, `headerList`, `body`, `lastByte` and `released` are used only by the thread that creates the transfer, and
/// after it has been passed to the engine only by the engine's thread; `request` never changes; everything else is in `state`, behind a lock.
final class Transfer: @unchecked Sendable {
  struct State {
    var head = ResponseHead()
    var headIsComplete = false
    var bytes: [UInt8] = []
    var isPaused = false
    var outcome: Result<Void, TransferError>?
    var reader: CheckedContinuation<Void, Never>?
    var headerBytes = 0
  }

  let request: HTTPRequest
  let host: String
  let easy: UnsafeMutableRawPointer
  let state = Locked(State())
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// The time by `ticks` at which the reader released an answer whose end was near. Bytes that still arrive are discarded. Nil before.
  var released: Int?
  /// The time by `ticks` at which the last byte arrived.
  var lastByte: Int
  let ticks: Ticks

  /// The time in milliseconds for the end of a released answer to arrive, so that its connection can be reused.
  static let grace = 250
  static let highWater = 1 << 18
  /// The maximum number of bytes in all header lines together.
  static let headerLimit = 1 << 16

  init(
    _ request: HTTPRequest, host: String, settings: TransportSettings, trust: ServerTrust,
    ticks: @escaping Ticks
  ) throws(TransferError) {
    guard let easy = curl_easy_init() else {
      throw TransferError(
        kind: .invalid, host: host, reason: "libcurl does not start", ownRemedy: TransferError.freeingMemory)
    }
    self.request = request
    self.host = host
    self.easy = easy
    self.ticks = ticks
    lastByte = ticks()
    configure(settings)
    // If libcurl does not accept a pin or a CA setting, remove the URL, so that no connection is made without that check.
    if !trust.configure(easy) { _ = curl_set_string(easy, CURLOPT_URL, "") }
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    body?.deallocate()
  }

  private var body: UnsafeMutableBufferPointer<UInt8>?

  private func configure(_ settings: TransportSettings) {
    _ = curl_set_string(easy, CURLOPT_URL, request.url)
    _ = curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method.rawValue)
    _ = curl_set_string(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    _ = curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    _ = curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    _ = curl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
    _ = curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    _ = curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    _ = curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
    _ = curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(request.timeout, 1))
    _ = curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(settings.connectTimeout, 1))
    _ = curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "gzip")
    setHeaders()
    setBody()
    let itself = Unmanaged.passUnretained(self).toOpaque()
    _ = curl_set_callback(easy, CURLOPT_HEADERFUNCTION) { Transfer.of($3).tookHeader($0, $1 * $2) }
    _ = curl_set_pointer(easy, CURLOPT_HEADERDATA, itself)
    _ = curl_set_callback(easy, CURLOPT_WRITEFUNCTION) { Transfer.of($3).tookBytes($0, $1 * $2) }
    _ = curl_set_pointer(easy, CURLOPT_WRITEDATA, itself)
    _ = curl_set_pointer(easy, CURLOPT_PRIVATE, itself)
  }

  private func setHeaders() {
    var headers = request.headers.map { "\($0.name): \($0.value)" }
    headers.append("Expect:")
    for header in headers { headerList = curl_slist_append(headerList, header) ?? headerList }
    _ = curl_set_pointer(easy, CURLOPT_HTTPHEADER, headerList)
  }

  /// Sets the body. libcurl reads its bytes in place until the transfer has ended.
  private func setBody() {
    guard request.method == .post else { return }
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(request.body.count, 1))
    _ = copy.update(fromContentsOf: request.body)
    body = copy
    _ = curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
    _ = curl_set_pointer(easy, CURLOPT_POSTFIELDS, copy.baseAddress)
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> Transfer {
    Unmanaged<Transfer>.fromOpaque(pointer!).takeUnretainedValue()
  }
}

/// Returns the milliseconds of a monotonic clock, by which silence is measured.
typealias Ticks = @Sendable () -> Int

/// The milliseconds of `CLOCK_MONOTONIC`.
@Sendable func monotonicMilliseconds() -> Int {
  Int(KernelClock.nanoseconds(CLOCK_MONOTONIC) / 1_000_000)
}
