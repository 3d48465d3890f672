/// The output of `v4l2-compliance`, as untrusted text: bounded, and made printable.
struct ComplianceOutput: Sendable {
  /// A test with a failure or a warning.
  struct Finding: Hashable, Sendable {
    enum Grade: String, Hashable, Sendable { case fail, warn }

    let grade: Grade
    let test: String
    /// The messages of the test, which name the source of the tool.
    var messages: [String]
  }

  /// The version, such as `1.22.1`. Empty if none was printed.
  private(set) var version = ""
  private(set) var tests = 0
  private(set) var findings: [Finding] = []

  private static let mostFindings = 200
  private static let longestLine = 400

  init(_ text: String) {
    var messages: [(Finding.Grade, String)] = []
    for raw in text.split(whereSeparator: \.isNewline).prefix(20_000) {
      let line = Self.printable(raw)
      if line.hasPrefix("v4l2-compliance ") {
        version = String(line.dropFirst(16).prefix { !", ".contains($0) })
      } else if let message = Self.message(line) {
        messages.append(message)
      } else if line.hasPrefix("test "), let colon = line.lastIndex(of: ":") {
        note(String(line[..<colon].dropFirst(5)), isFailure: line[colon...].hasPrefix(": FAIL"), messages)
        messages = []
      }
    }
  }

  private mutating func note(_ test: String, isFailure: Bool, _ messages: [(Finding.Grade, String)]) {
    tests += 1
    guard findings.count < Self.mostFindings else { return }
    let failures = messages.filter { $0.0 == .fail }.map(\.1)
    if isFailure { findings.append(Finding(grade: .fail, test: test, messages: failures)) }
    let warnings = messages.filter { $0.0 == .warn }.map(\.1)
    if !warnings.isEmpty { findings.append(Finding(grade: .warn, test: test, messages: warnings)) }
  }

  /// Parses a message such as `fail: v4l2-test-formats.cpp(341): …` or `warn: …`.
  private static func message(_ line: String) -> (Finding.Grade, String)? {
    for grade in [Finding.Grade.fail, .warn] where line.hasPrefix("\(grade.rawValue): ") {
      return (grade, String(line.dropFirst(grade.rawValue.count + 2)))
    }
    return nil
  }

  private static func printable(_ raw: Substring) -> String {
    let scalars = raw.unicodeScalars.prefix(longestLine).map { scalar -> Unicode.Scalar in
      scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar
    }
    var text = String(String.UnicodeScalarView(scalars))[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
