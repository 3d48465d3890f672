import ArgumentParser

/// Where the shelves of a scan into the library are.
struct ShelfLocation: ParsableArguments {
  @Option(help: ArgumentHelp("Where these shelves are, in words.", valueName: "TEXT")) var location: String?
}
