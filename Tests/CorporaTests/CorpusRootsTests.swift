import Corpora
import Foundation
import Testing

@Suite struct CorpusRootsTests {
  @Test func noFolderIsSearchedTwice() {
    let folders = CorpusRoots.standard().map {
      URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path
    }
    let existing = folders.filter { FileManager.default.fileExists(atPath: $0) }
    #expect(Set(existing).count == existing.count)
  }
}
