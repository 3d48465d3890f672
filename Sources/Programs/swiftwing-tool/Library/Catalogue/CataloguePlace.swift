import ArgumentParser
import Catalogue
import Foundation
import Harness

/// Which catalogue a command asks.
struct CataloguePlace: ParsableArguments {
  @Option(
    name: .customLong("catalogue"),
    help: ArgumentHelp(
      "The file of a catalogue of known books; by default the one that SWIFTWING_CATALOGUE names.",
      valueName: "FILE"))
  var path: String?

  /// What was asked for by the option or the environment.
  private var named: String? {
    path ?? ProcessInfo.processInfo.environment["SWIFTWING_CATALOGUE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Nil when none was asked for.
  func openIfNamed() throws -> Catalogue? { try named.map { try Catalogue(path: $0) } }

  func open() throws -> Catalogue {
    guard let catalogue = try openIfNamed() else {
      throw Failure("no catalogue is named; name it with --catalogue FILE or SWIFTWING_CATALOGUE", .usage)
    }
    return catalogue
  }
}
