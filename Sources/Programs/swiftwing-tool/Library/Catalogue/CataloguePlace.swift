import ArgumentParser
import Catalogue
import Foundation
import Harness

/// The option that chooses the catalogue of a command.
struct CataloguePlace: ParsableArguments {
  @Option(
    name: .customLong("catalogue"),
    help: ArgumentHelp(
      "The file of a catalogue of known books; by default the one that SWIFTWING_CATALOGUE names.",
      valueName: "FILE"))
  var path: String?

  /// The catalogue named by the option or by the environment.
  var named: String? {
    path ?? ProcessInfo.processInfo.environment["SWIFTWING_CATALOGUE"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Opens the catalogue; nil if none was named.
  func openIfNamed() throws -> Catalogue? { try named.map { try Catalogue(path: $0) } }

  func open() throws -> Catalogue {
    guard let catalogue = try openIfNamed() else {
      throw Failure("no catalogue is named; name it with --catalogue FILE or SWIFTWING_CATALOGUE", .usage)
    }
    return catalogue
  }
}
