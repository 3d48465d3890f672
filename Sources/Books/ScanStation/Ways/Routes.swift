import FoundationEssentials
import Library
import System
import Uploads

/// Which way each scan is on. Not durable: after a restart every scan begins with the first way again. Times are those of a clock that nobody
/// sets (`DeliveryClock.uptime`).
final class Routes: Sendable {
  /// A scan at the backend.
  struct Route: Sendable, Equatable {
    var scan: UUID
    var way: RecognitionWay
    var began: TimeInterval
  }

  private struct State {
    /// Of scans that have left the first way.
    var changed: [UUID: RecognitionWay] = [:]
    /// Since when the backend is out of reach of a scan.
    var troubleSince: [UUID: TimeInterval] = [:]
    var routes: [String: Route] = [:]
    /// Since when the backend is out of reach of a job of an earlier run.
    var jobTroubleSince: [String: TimeInterval] = [:]
    /// Where the last fallback led, and until when later scans go there at once.
    var detour: (way: RecognitionWay, until: TimeInterval)?
  }

  let ways: [RecognitionWay]
  private let settings: WaySettings
  private let state = Locked(State())

  init(settings: WaySettings, ways: [RecognitionWay]) {
    self.settings = settings
    self.ways = ways
  }

  /// The way that a scan is to go now; nil when there is none at all.
  func way(of scan: UUID, at now: TimeInterval) -> RecognitionWay? {
    state.withLock { state in
      if let way = state.changed[scan] { return way }
      if let detour = state.detour, detour.until > now { return detour.way }
      return ways.first
    }
  }

  func hasNext(after way: RecognitionWay) -> Bool { ways.last != way }

  /// The way after one that failed; nil while the same is to be tried again. A backend out of reach is given time; a limit
  /// that it has set is not a failure; the reader here fails for good only when it says so.
  func next(
    after way: RecognitionWay, for scan: UUID, because error: BackendError, at now: TimeInterval
  ) -> RecognitionWay? {
    guard let index = ways.firstIndex(of: way) else { return nil }
    var rest = ways[(index + 1)...]
    switch error.kind {
    case .cancelled, .limited, .superseded, .died: return nil
    case .offline:
      let isPatient = state.withLock { state in
        let since = state.troubleSince[scan] ?? now
        state.troubleSince[scan] = since
        return now - since < settings.patience
      }
      if isPatient { return nil }
      // The other ways to the same backend are as broken.
      rest = rest.filter { $0 == .local }[...]
    case .failed, .unavailable, .rejected: break
    }
    guard let next = rest.first else { return nil }
    state.withLock { state in
      state.changed[scan] = next
      state.troubleSince[scan] = nil
      if error.kind != .rejected { state.detour = (next, now + settings.memory) }
    }
    return next
  }

  /// Whether a job of an earlier run, whose way is not known any more, is left for one by the ways there are now.
  func leaves(_ job: QueuedScan.Job, because error: BackendError, at now: TimeInterval) -> Bool {
    guard ways.count > 1 else { return false }
    switch error.kind {
    case .unavailable: return true
    case .offline:
      return state.withLock { state in
        let since = state.jobTroubleSince[job.id] ?? now
        state.jobTroubleSince[job.id] = since
        return now - since >= settings.patience
      }
    default: return false
    }
  }

  func note(_ job: QueuedScan.Job, of scan: UUID, by way: RecognitionWay, at now: TimeInterval) {
    state.withLock { state in
      state.troubleSince[scan] = nil
      state.routes[job.id] = Route(scan: scan, way: way, began: now)
    }
  }

  func route(of job: QueuedScan.Job) -> Route? { state.withLock { $0.routes[job.id] } }

  /// A job is over; its scan is delivered, or will be another job.
  func forget(job: String) {
    state.withLock { state in
      state.jobTroubleSince[job] = nil
      guard let route = state.routes.removeValue(forKey: job) else { return }
      if !state.routes.values.contains(where: { $0.scan == route.scan }) {
        state.troubleSince[route.scan] = nil
      }
    }
  }

  /// A scan has left the queue.
  func forget(scan: UUID) {
    state.withLock { state in
      state.changed[scan] = nil
      state.troubleSince[scan] = nil
    }
  }
}
