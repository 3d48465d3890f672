/// The names of link targets: the id of each scenario, and `SCENARIO.METRIC` for its metrics and checks. A metric whose id begins with that of
/// its scenario is named by its id alone. Every name is unique.
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

  /// Returns the names of a scenario's metrics, in the scenario's order.
  func metrics(of scenario: Int) -> [String] { metrics[scenario] }
  /// Returns the names of a scenario's checks, in the scenario's order.
  func checks(of scenario: Int) -> [String] { checks[scenario] }

  private static func name(_ row: String, in scenario: String, _ taken: inout Set<String>) -> String {
    // In a report of several sources, the source follows an @.
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

  /// Returns the address of a name within the page: characters with a meaning in addresses are encoded as `%XX`.
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
