import Foundation
import Testing

@testable import Capture

@Suite("What users write for a camera")
struct SourceSpecificationTests {
  /// A corpus folder whose manifest is `text`.
  private func withCorpus(_ text: String, _ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(text.utf8).write(to: folder.appendingPathComponent("corpus.json"))
    try body(folder.path)
  }

  @Test("A damaged corpus is bad input, told in one sentence that names the file")
  func damagedCorpus() throws {
    try withCorpus("{") { folder in
      let error = #expect(throws: CameraError.self) {
        try SourceSpecification("corpus:\(folder)").makeSource(corpusRoots: [])
      }
      #expect(error?.isUnavailability == false)
      #expect(
        error?.description.hasPrefix("cannot use corpus:\(folder): cannot read \(folder)/corpus.json: ")
          == true)
      #expect(error?.description.contains(".;") == false && error?.description.hasSuffix(".") == false)
    }
  }

  @Test("A corpus that is not there is a source that is not available")
  func missingCorpus() {
    let error = #expect(throws: CameraError.self) {
      try SourceSpecification("corpus:nowhere").makeSource(corpusRoots: ["/nonexistent"])
    }
    #expect(error?.isUnavailability == true)
  }

  @Test("No folder is searched twice")
  func distinctRoots() {
    let folders = CorpusRoots.standard().map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path
    }
    let existing = folders.filter { FileManager.default.fileExists(atPath: $0) }
    #expect(Set(existing).count == existing.count)
  }
}
