import FoundationEssentials
import Library
import System
import Uploads

/// The current way of each scan. Ways are not stored: after a restart every scan begins with the first way again. All times are those of the
/// monotonic clock (`DeliveryClock.uptime`).
final class Routes: Sendable {
  /// A scan at the backend.
  struct Route: Sendable, Equatable {
    var scan: UUID
    var way: RecognitionWay
    var began: TimeInterval
  }

  private struct State {
    /// The ways of scans that have left the first way.
    var changed: [UUID: RecognitionWay] = [:]
    /// For each scan whose backend is unreachable, the time of the first failed try.
    var troubleSince: [UUID: TimeInterval] = [:]
    var routes: [String: Route] = [:]
    /// For each job of an earlier run whose backend is unreachable, the time of the first failed try.
    var jobTroubleSince: [String: TimeInterval] = [:]
    /// The way of the last fallback, and the time until which later scans use it at once.
    var detour: (way: RecognitionWay, until: TimeInterval)?
  }

  let ways: [RecognitionWay]
  private let settings: WaySettings
  private let state = Locked(State())

  init(settings: WaySettings, ways: [RecognitionWay]) {
    self.settings = settings
    self.ways = ways
  }

  /// The current way of a scan. Nil if there is no way at all.
  func way(of scan: UUID, at now: TimeInterval) -> RecognitionWay? {
    state.withLock { state in
      if let way = state.changed[scan] { return way }
      if let detour = state.detour, detour.until > now { return detour.way }
      return ways.first
    }
  }

  func hasNext(after way: RecognitionWay) -> Bool { ways.last != way }

  /// The name of the way that a scan takes if `way` is slow. Empty if none follows.
  func name(after way: RecognitionWay) -> String {
    ways.drop(while: { $0 != way }).dropFirst().first?.rawValue ?? ""
  }

  /// The way that a scan takes after `way` has failed. Nil if no way follows, or if the scan is to wait and use `way` again: because the backend is
  /// unreachable for less than the patience, limits its rate or has superseded the job, or because the work was cancelled.
  func next(
    after way: RecognitionWay, for scan: UUID, because error: BackendError, at now: TimeInterval
  ) -> RecognitionWay? {
    guard let index = ways.firstIndex(of: way) else { return nil }
    var rest = ways[(index + 1)...]
    switch error.kind {
    case .cancelled, .limited, .superseded: return nil
    case .offline:
      let isPatient = state.withLock { state in
        let since = state.troubleSince[scan] ?? now
        state.troubleSince[scan] = since
        return now - since < settings.patience
      }
      if isPatient { return nil }
      // The other ways use the same backend and would fail too.
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

  /// Whether a job of an earlier run, whose way is unknown, is given up for the ways of this run.
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

  /// Forgets a job that is over. Its scan is delivered, or will get another job.
  func forget(job: String) {
    state.withLock { state in
      state.jobTroubleSince[job] = nil
      guard let route = state.routes.removeValue(forKey: job) else { return }
      if !state.routes.values.contains(where: { $0.scan == route.scan }) {
        state.troubleSince[route.scan] = nil
      }
    }
  }

  /// Forgets a scan that has left the queue.
  func forget(scan: UUID) {
    state.withLock { state in
      state.changed[scan] = nil
      state.troubleSince[scan] = nil
    }
  }
}
