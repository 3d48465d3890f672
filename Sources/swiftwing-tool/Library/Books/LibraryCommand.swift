import ArgumentParser

struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library", abstract: "List, search, import or export the books found; fetch covers.",
    subcommands: [
      LibraryList.self, LibrarySearch.self, LibraryExport.self, LibraryImport.self, LibraryCovers.self,
    ])
}
