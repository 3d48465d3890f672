/// The names that links lead to: each scenario's id, and for each of its metrics and checks `SCENARIO.METRIC`. A metric whose id begins
/// with its scenario's is called by its id alone. Every name is there once.
struct RowAnchors: Sendable {
  private let metrics: [[String]]
  private let checks: [[String]]

  init(_ report: Report) {
    var taken = Set(report.scenarios.map(\.id))
    var metrics: [[String]] = []
    var checks: [[String]] = []
    for scenario in report.scenarios {
      metrics.append(scenario.metrics.map { Self.name($0.id, in: scenario.id, &taken) })
      checks.append(scenario.checks.map { Self.name($0.id, in: scenario.id, &taken) })
    }
    self.metrics = metrics
    self.checks = checks
  }

  /// Of the metrics of that scenario, in its order.
  func metrics(of scenario: Int) -> [String] { metrics[scenario] }
  /// Of the checks of that scenario, in its order.
  func checks(of scenario: Int) -> [String] { checks[scenario] }

  private static func name(_ row: String, in scenario: String, _ taken: inout Set<String>) -> String {
    // Behind an @ is the source, in a report of several.
    let base = scenario.prefix { $0 != "@" }
    let own = row.hasPrefix("\(base).") ? "\(scenario)\(row.dropFirst(base.count))" : "\(scenario).\(row)"
    var name = own
    var number = 1
    while !taken.insert(name).inserted {
      number += 1
      name = "\(own)-\(number)"
    }
    return name
  }

  /// The address of a name within the page: what has a meaning in an address is written as `%XX`.
  static func address(_ name: String) -> String {
    name.utf8.reduce(into: "#") { address, byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"),
        UInt8(ascii: "@"):
        address.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        address += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
  }
}
