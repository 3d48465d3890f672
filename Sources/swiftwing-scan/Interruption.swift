import Dispatch
import Glibc
import Locking

/// ^C, and the request of a service to end: heard by a thread of its own, so that work goes on until it has been told.
final class Interruption {
  /// By ^C, as a shell says it.
  static let status: Int32 = 130

  private let heard = Locked(false)
  private let sources: [any DispatchSourceSignal]

  /// - Parameter act: what to do at once, on another thread; without it the program looks at `isHeard`.
  init(_ act: (@Sendable () -> Void)? = nil) {
    sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: .global(qos: .userInteractive))
    }
    for source in sources {
      source.setEventHandler { [heard] in
        heard.withLock { $0 = true }
        act?()
      }
      source.resume()
    }
  }

  var isHeard: Bool { heard.withLock { $0 } }
}
