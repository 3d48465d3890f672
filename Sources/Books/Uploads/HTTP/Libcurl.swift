import CCurl
import Glibc
import Library

/// Loads and initialises libcurl, if that has not been done yet. May be called from any thread.
/// - Parameter load: writes the reason of a failure into the buffer.
/// - Throws: `unavailable` if libcurl is not installed or does not start.
func loadLibcurl(
  _ load: (UnsafeMutablePointer<CChar>, Int) -> Bool = curl_load
) throws(DeliveryError) {
  var isReady = false
  let reason = String(unsafeUninitializedCapacity: 256) { buffer in
    buffer.withMemoryRebound(to: CChar.self) { text in
      isReady = load(text.baseAddress!, text.count)
      return isReady ? 0 : strnlen(text.baseAddress!, text.count)
    }
  }
  guard !isReady else { return }
  throw DeliveryError(
    .unavailable, "use the network", reason: reason,
    remedy: "install libcurl4 and try again; scans stay queued")
}
