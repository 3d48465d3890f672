import Foundation

@testable import Harness

extension FuzzTarget {
  static let reports = [profile, report]

  private static let profile = FuzzTarget(
    name: "profile", longest: 32_768,
    seeds: [
      [UInt8](
        #"{"schema":"swiftwing-profile/1","name":"x","title":"X","limits":[{"metric":"a.b","statistic":"p99","op":"<=","value":1,"unit":"ms","requirement":"LAT-1","source":"s","scenario":"a.b"}],"tolerances":[]}"#
      )
    ], files: ["Profiles"]
  ) { bytes in
    guard let profile = try? Profile.decode(Data(bytes), path: "x") else { return }
    hold(profile.limits.allSatisfy { $0.value.isFinite }, "a limit that is no number")
  }

  private static let report = FuzzTarget(name: "report", longest: 16_384, files: ["Fuzzing/Seeds/report"]) {
    bytes in
    guard let report = try? ReportFile.decode(Data(bytes)) else { return }
    MarkupInspector.page.inspect(HTMLReport(report).html)
    MarkupInspector.jUnit.inspect(JUnitReport(report).xml)
    _ = MarkdownSummary(report).markdown
    _ = SARIFReport(report).json
    guard let written = try? ReportFile.encode(report) else { return }
    hold(
      ReportFile.validate(written).isEmpty,
      "a report that was read cannot be read again: \(ReportFile.validate(written))")
  }
}

/// Looks for markup that the templates do not contain, which would be text that was not escaped.
struct MarkupInspector: Sendable {
  let elements: Set<String>

  static let page = MarkupInspector(
    elements: Set(
      """
      a article b body br circle code dd defs details div dl dt figcaption figure footer g h1 h2 h3 head header html i img li \
      line main meta nav p path pattern polyline pre rect section small span style summary svg table tbody td text th thead \
      title tr ul
      """.split(separator: " ").map(String.init)))
  static let jUnit = MarkupInspector(
    elements: [
      "testsuites", "testsuite", "testcase", "failure", "skipped", "error", "system-out", "properties",
      "property",
    ])

  func inspect(_ markup: String) {
    let bytes = Array(markup.utf8)
    var at = 0
    while let open = bytes[at...].firstIndex(of: UInt8(ascii: "<")) {
      at = open + 1
      let isEnd = at < bytes.count && bytes[at] == UInt8(ascii: "/")
      let name = bytes[(isEnd ? at + 1 : at)...].prefix {
        ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 || (48...57).contains($0) || $0 == 45
      }
      if name.isEmpty {
        let isKnown = at < bytes.count && (bytes[at] == UInt8(ascii: "!") || bytes[at] == UInt8(ascii: "?"))
        hold(isKnown, "a < that begins no element: \(Self.excerpt(bytes, open))")
        continue
      }
      hold(
        elements.contains(String(decoding: name, as: UTF8.self)),
        "an element that is not ours: \(Self.excerpt(bytes, open))")
      at = attributes(bytes, name.endIndex)
    }
    for text in ["\u{202E}", "\u{2066}", "\u{0}"] {
      hold(
        !markup.unicodeScalars.contains(text.unicodeScalars.first!), "\(text.debugDescription) came through")
    }
  }

  /// Checks the attributes of a tag. None may handle an event or refer to something outside the page.
  /// - Returns: the position of the tag's end.
  private func attributes(_ bytes: [UInt8], _ start: Int) -> Int {
    var (at, name): (Int, [UInt8]) = (start, [])
    while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
      switch bytes[at] {
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let quote = bytes[at]
        let value = bytes[(at + 1)...].prefix { $0 != quote }
        hold(!name.starts(with: "on".utf8), "an event handler: \(Self.excerpt(bytes, start))")
        let isAddress = name.elementsEqual("href".utf8) || name.elementsEqual("src".utf8)
        if isAddress {
          let isOurs = value.starts(with: "#".utf8) || value.starts(with: "data:image/".utf8)
          hold(isOurs || value.isEmpty, "an address outside the page: \(Self.excerpt(bytes, start))")
        }
        at = value.endIndex + 1
        name = []
      case 9, 10, 13, 32:
        name = []
        at += 1
      case UInt8(ascii: "<"): fatalError("a tag inside a tag: \(Self.excerpt(bytes, start))")
      case UInt8(ascii: "="): at += 1
      default:
        name.append(bytes[at] | 0x20)
        at += 1
      }
    }
    return at
  }

  private static func excerpt(_ bytes: [UInt8], _ at: Int) -> String {
    String(decoding: bytes[max(0, at - 40)..<min(bytes.count, at + 80)], as: UTF8.self)
  }
}
