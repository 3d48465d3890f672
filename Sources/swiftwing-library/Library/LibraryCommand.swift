import ArgumentParser

struct LibraryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "library", abstract: "The books found so far.",
    subcommands: [
      LibraryList.self, LibrarySearch.self, LibraryExport.self, LibraryImport.self, LibraryCovers.self,
    ])
}
