import ArgumentParser

/// `swiftwing catalogue`: catalogues of known books, by which read spines are named.
struct CatalogueCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalogue", abstract: "Make a catalogue of known books, and search it.",
    discussion: """
      A catalogue replaces the text that was read on a spine by the known book. It is one file on this \
      machine; no network is used. `scan --catalogue FILE` uses it, and so does SWIFTWING_CATALOGUE=FILE.
      """,
    subcommands: [
      CatalogueImportCommand.self, CatalogueSearch.self, CatalogueMatchCommand.self,
      CatalogueInfoCommand.self,
    ])
}
