import ArgumentParser

struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "List, search, add, correct, import or export books; fetch covers.",
    subcommands: [
      LibraryList.self, LibrarySearch.self, LibraryShow.self, LibraryReview.self, LibraryAdd.self,
      LibraryEdit.self, LibraryDelete.self, LibrarySplit.self, LibraryMerge.self, LibraryDuplicates.self,
      LibraryUndo.self, LibraryExport.self, LibraryImport.self, LibraryCovers.self,
    ])
}
