import System

/// Something the server does wrong on demand.
public enum Fault: Sendable, Equatable {
  /// Milliseconds before the answer.
  case delay(Int)
  /// The connection closes without an answer.
  case drop
  /// The connection is reset: before the answer, or in the middle of a stream.
  case reset
  /// The stream closes in the middle of an event.
  case halfEvent
  /// Every event comes twice.
  case duplicateEvents
  /// Events come in reverse.
  case outOfOrderEvents
  /// The event of this many bytes that has no end in sight.
  case hugeEvent(Int)
  /// The stream opens and says nothing, not even a heartbeat.
  case silence
  /// 429 with this `Retry-After`: seconds or a date.
  case tooManyRequests(String)
  case status(Int)
  /// Wherever a type is expected, another.
  case wrongContentType
  /// An answer of the right type that is not what was agreed.
  case nonsense
  /// 307 to there.
  case redirect(String)
  /// The request is read this many milliseconds a 64 kB piece.
  case slowReader(Int)
  /// The job ends in an `error` event.
  case jobError(retryable: Bool)
}

/// Which request a fault belongs to.
public enum Endpoint: String, Sendable, CaseIterable { case upload, stream, cleanup }

/// The faults still to come, one a request; shared by the server's threads.
public final class FaultScript: Sendable {
  private let script = Locked<[Endpoint: [Fault]]>([:])
  private let lasting = Locked<[Endpoint: Fault]>([:])

  public init() {}

  /// The next requests of `endpoint` meet these, in turn, behind those there are.
  public func add(_ faults: Fault..., to endpoint: Endpoint) {
    script.withLock { $0[endpoint, default: []] += faults }
  }

  /// Every request of `endpoint` that meets no other fault meets this.
  public func always(_ fault: Fault?, at endpoint: Endpoint) { lasting.withLock { $0[endpoint] = fault } }

  func next(_ endpoint: Endpoint) -> Fault? {
    let once = script.withLock { script in
      script[endpoint]?.isEmpty == false ? script[endpoint]?.removeFirst() : nil
    }
    return once ?? lasting.withLock { $0[endpoint] }
  }
}
