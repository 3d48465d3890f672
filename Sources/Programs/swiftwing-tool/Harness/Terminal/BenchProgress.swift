import Console
import Harness

enum BenchProgress {
  static func show(_ progress: Runner.Progress) {
    switch progress {
    case .started(let scenario, let index, let total): Terminal.progress("[\(index)/\(total)] \(scenario) …")
    case .rerunning(let scenario, let metrics):
      Terminal.progress("\(scenario): measured again, because of \(metrics.joined(separator: ", ")) …")
    case .measuringAgain(let scenario, let reason):
      Terminal.endProgress()
      Terminal.tell("again        \(scenario)\n             \(reason)")
    case .finished(let scenario, let verdict, let reason, let figure):
      Terminal.endProgress()
      Terminal.tell(line(scenario, verdict, reason: reason, figure: figure))
    }
  }

  /// Returns the verdict, the name, and the most important figure.
  private static func line(
    _ scenario: String, _ verdict: Verdict, reason: String, figure: String?
  ) -> String {
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: max(1, width - text.count))
    }
    let name = padded(verdict.rawValue.uppercased(), 13) + scenario
    let head = figure.map { padded(name, 42) + $0 } ?? name
    return verdict.needsAttention || verdict == .unsupported ? "\(head)\n             \(reason)" : head
  }
}
