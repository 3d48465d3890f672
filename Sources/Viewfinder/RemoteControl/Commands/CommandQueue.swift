import JSON
import System

/// The waiting commands of all clients, in the order of arrival. A command that stops something goes before all others, and cancels the commands
/// before it that it would stop.
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
  /// Yields after commands have arrived.
  let arrivals: AsyncStream<Void>

  init() { (arrivals, wakes) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1)) }

  /// - Returns: the cancelled commands, which must still be answered.
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

  /// Removes the motion commands of a client that has gone, since that client could not stop them any more.
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
