import ArgumentParser

/// The location of the scanned shelves, which is stored in the library.
struct ShelfLocation: ParsableArguments {
  @Option(help: ArgumentHelp("Where these shelves are, in words.", valueName: "TEXT")) var location: String?
}
