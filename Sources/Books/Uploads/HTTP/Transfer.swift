import CCurl
import Glibc
import System

/// One exchange between the engine's thread, which fills it, and the one task that reads it.
///
/// The memory of an answer is bounded: past `highWater` bytes unread, libcurl stops reading from the connection until
/// the reader has taken them.
///
/// `@unchecked Sendable`: `easy`, `headerList`, `body`, `lastByte` and `released` belong to the engine's thread once the transfer has been handed to
/// it (before that to its maker), `request` never changes, and all else is in `state`, behind a lock.
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
  /// When the reader let go of an answer whose end was near; what still comes is thrown away.
  var released: Int?
  /// In `ticks`, like `released`.
  var lastByte: Int
  let ticks: Ticks

  /// Milliseconds for the end of a released answer to come, so that its connection can be used again.
  static let grace = 250
  static let highWater = 1 << 18
  /// Of all header lines together.
  static let headerLimit = 1 << 16

  init(
    _ request: HTTPRequest, host: String, settings: TransportSettings, trust: ServerTrust,
    ticks: @escaping Ticks
  ) throws(TransferError) {
    guard let easy = curl_easy_init() else {
      throw TransferError(kind: .invalid, host: host, reason: "libcurl does not start")
    }
    self.request = request
    self.host = host
    self.easy = easy
    self.ticks = ticks
    lastByte = ticks()
    configure(settings)
    // A pin or CA setting that libcurl does not take must not leave the connection without one: the URL is taken away.
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

  /// libcurl reads the bytes where they are until the transfer has ended.
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

/// Milliseconds of a clock that never goes back, by which silence is told.
typealias Ticks = @Sendable () -> Int

/// `CLOCK_MONOTONIC`.
@Sendable func monotonicMilliseconds() -> Int {
  Int(KernelClock.nanoseconds(CLOCK_MONOTONIC) / 1_000_000)
}
