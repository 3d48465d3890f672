import JSON
import System

/// Commands of all clients that wait, in the order in which they come. What stops something goes ahead of all others, and what it is to stop and
/// has come before it is not begun any more.
final class CommandQueue: Sendable {
  struct Job: Sendable {
    let client: ControlClient
    let id: String
    let name: String
    let arguments: [String: JSONValue]
  }

  private struct State {
    var stops: [Job] = []
    var others: [Job] = []
  }

  private let state = Locked(State())
  private let wakes: AsyncStream<Void>.Continuation
  /// Tells that there is something, or has been.
  let arrivals: AsyncStream<Void>

  init() { (arrivals, wakes) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// - Returns: those that are not begun any more, to be answered.
  func add(_ job: Job) -> [Job] {
    let overtaken = state.withLock { state -> [Job] in
      guard Self.isStop(job) else {
        state.others.append(job)
        return []
      }
      state.stops.append(job)
      return Self.remove(from: &state.others) { Self.isStopped($0, by: job) }
    }
    wakes.yield()
    return overtaken
  }

  func next() -> Job? {
    state.withLock { state in
      if !state.stops.isEmpty { return state.stops.removeFirst() }
      return state.others.isEmpty ? nil : state.others.removeFirst()
    }
  }

  /// What a client that has gone would still have moved: nobody is there to stop it.
  func withdraw(_ client: ControlClient) -> [Job] {
    state.withLock { state in
      Self.remove(from: &state.others) { $0.client === client && Self.moves($0) }
    }
  }

  func finish() { wakes.finish() }

  private static func remove(from jobs: inout [Job], where fits: (Job) -> Bool) -> [Job] {
    let removed = jobs.filter(fits)
    if !removed.isEmpty { jobs.removeAll(where: fits) }
    return removed
  }

  private static func isStop(_ job: Job) -> Bool {
    ["dockStop", "stopRecording", "cancelZoom"].contains(job.name)
  }

  private static func moves(_ job: Job) -> Bool {
    ["dockMove", "dockAnimate"].contains(job.name)
      || (job.name == "dockPreset" && job.arguments["save"] != .bool(true))
  }

  private static func isStopped(_ job: Job, by stop: Job) -> Bool {
    switch stop.name {
    case "dockStop": moves(job)
    case "stopRecording": job.name == "startRecording"
    default: job.name == "setZoom" && job.arguments["ramp"] == .bool(true)
    }
  }
}
