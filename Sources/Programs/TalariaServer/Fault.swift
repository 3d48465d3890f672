import System

/// A fault that the server commits on request.
public enum Fault: Sendable, Equatable {
  /// A delay of the answer, in milliseconds.
  case delay(Int)
  /// The connection closes without an answer.
  case drop
  /// The connection is reset: before the answer, or in the middle of a stream.
  case reset
  /// The stream closes in the middle of an event.
  case halfEvent
  /// Every event is sent twice.
  case duplicateEvents
  /// Events are sent in reverse order.
  case outOfOrderEvents
  /// An event of this many bytes that does not end.
  case hugeEvent(Int)
  /// The stream opens but sends nothing, not even a heartbeat.
  case silence
  /// 429 with this `Retry-After`: seconds or a date.
  case tooManyRequests(String)
  case status(Int)
  /// An answer with an unexpected content type.
  case wrongContentType
  /// An answer of the right type whose content is invalid.
  case nonsense
  /// A redirect with status 307 to this address.
  case redirect(String)
  /// The request is read slowly: this many milliseconds per piece of 64 kB.
  case slowReader(Int)
  /// The job ends in an `error` event.
  case jobError(retryable: Bool)
}

/// The request to which a fault applies.
public enum Endpoint: String, Sendable, CaseIterable { case upload, stream, cleanup }

/// The faults to commit, one per request. The server's threads share it.
public final class FaultScript: Sendable {
  private let script = Locked<[Endpoint: [Fault]]>([:])
  private let lasting = Locked<[Endpoint: Fault]>([:])

  public init() {}

  /// Adds faults for the next requests of `endpoint`, one for each, after those that are waiting.
  public func add(_ faults: Fault..., to endpoint: Endpoint) {
    script.withLock { $0[endpoint, default: []] += faults }
  }

  /// Sets the fault of every request of `endpoint` for which no other fault is waiting.
  public func always(_ fault: Fault?, at endpoint: Endpoint) { lasting.withLock { $0[endpoint] = fault } }

  func next(_ endpoint: Endpoint) -> Fault? {
    let once = script.withLock { script in
      script[endpoint]?.isEmpty == false ? script[endpoint]?.removeFirst() : nil
    }
    return once ?? lasting.withLock { $0[endpoint] }
  }
}
