import Foundation
import Testing

/// Checks that the documentation's examples are those compiled in `DocumentationExamples.swift`.
@Suite struct DocumentationTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Returns the code between "```swift" and "```", without comment marks.
  private static func examples(in text: String) -> [String] {
    var (examples, current): ([String], [Substring]?) = ([], nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let code = line.drop { $0 == " " }
      let bare = code.hasPrefix("///") ? code.dropFirst(3) : code
      let trimmed = bare.drop { $0 == " " }
      if trimmed.hasPrefix("```swift") {
        current = []
      } else if trimmed.hasPrefix("```"), let lines = current {
        examples.append(lines.joined(separator: "\n"))
        current = nil
      } else {
        current?.append(bare)
      }
    }
    return examples
  }

  private static func squeezed(_ text: String) -> String { text.filter { !$0.isWhitespace } }

  @Test(arguments: ["Capture", "Replay", "BookScan", "Uploads", "ScanStation"])
  func everyExampleIsCompiled(module: String) throws {
    let compiled = try String(
      contentsOf: Self.root.appending(path: "Tests/\(module)Tests/DocumentationExamples.swift"),
      encoding: .utf8
    )
    let sources = Self.root.appending(path: "Sources")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files
    where ["swift", "md"].contains(file.pathExtension) && file.pathComponents.contains(module) {
      for example in Self.examples(in: try String(contentsOf: file, encoding: .utf8)) {
        count += 1
        #expect(
          Self.squeezed(compiled).contains(Self.squeezed(example)),
          "\(file.lastPathComponent) shows what DocumentationExamples.swift has not:\n\(example)")
      }
    }
    #expect(count >= ["Capture": 20, "ScanStation": 2][module, default: 4])
  }
}
