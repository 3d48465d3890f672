import ArgumentParser
import TalariaServer

/// A fault on the command line, `ENDPOINT=FAULT[*N]`.
struct FaultOption: ExpressibleByArgument {
  private let endpoint: Endpoint
  private let fault: Fault
  /// The number of requests that meet the fault; nil for all.
  private let count: Int?

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, let endpoint = Endpoint(rawValue: String(parts[0])) else { return nil }
    let words = parts[1].split(separator: "*", omittingEmptySubsequences: false)
    guard words.count <= 2, let fault = Fault(name: String(words[0])) else { return nil }
    if words.count == 2 {
      guard let count = Int(words[1]), (1...10_000).contains(count) else { return nil }
      self.count = count
    } else {
      count = nil
    }
    self.endpoint = endpoint
    self.fault = fault
  }

  func add(to script: FaultScript) {
    guard let count else { return script.always(fault, at: endpoint) }
    for _ in 0..<count { script.add(fault, to: endpoint) }
  }
}
