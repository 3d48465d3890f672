import ArgumentParser

struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library",
    abstract: "List, search, correct, import or export the books found; fetch covers.",
    subcommands: [
      LibraryList.self, LibrarySearch.self, LibraryShow.self, LibraryReview.self, LibraryEdit.self,
      LibraryDelete.self, LibraryMerge.self, LibraryDuplicates.self, LibraryUndo.self, LibraryExport.self,
      LibraryImport.self, LibraryCovers.self,
    ])
}
