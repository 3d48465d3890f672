import Console
import Harness

/// What a bench says while it runs.
enum BenchProgress {
  static func show(_ progress: Runner.Progress) {
    switch progress {
    case .started(let scenario, let index, let total): Terminal.progress("[\(index)/\(total)] \(scenario) …")
    case .rerunning(let scenario, let metrics):
      Terminal.progress("\(scenario): again, because of \(metrics.joined(separator: ", ")) …")
    case .measuringAgain(let scenario, let reason):
      Terminal.endProgress()
      Terminal.tell("again        \(scenario)\n             \(reason)")
    case .finished(let scenario, let verdict, let reason):
      Terminal.endProgress()
      Terminal.tell(line(scenario, verdict, reason))
    }
  }

  private static func line(_ scenario: String, _ verdict: Verdict, _ reason: String) -> String {
    let mark = verdict.rawValue.uppercased()
    let head = mark + String(repeating: " ", count: max(1, 13 - mark.count)) + scenario
    return verdict.needsAttention || verdict == .unsupported ? "\(head)\n             \(reason)" : head
  }
}
