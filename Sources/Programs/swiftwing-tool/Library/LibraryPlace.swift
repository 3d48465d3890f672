import ArgumentParser
import Foundation
import Library
import System

/// The option that chooses the library of a command.
struct LibraryPlace: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: ArgumentHelp(
      "File or folder of the library; by default $XDG_DATA_HOME/swiftwing/library.sqlite.",
      valueName: "PATH"))
  var path: String?

  func directory() throws -> String {
    try path.map(Store.directory(named:)) ?? Store.standardDirectory(ProcessInfo.processInfo.environment)
  }

  /// Returns a command line for this library, to be copied and run in the same folder.
  /// - Parameter words: the words before the library's option, quoted for a shell.
  func command(_ words: String...) throws -> String {
    let isOwn = try Self.option(directory()).isEmpty
    let option = isOwn ? "" : path.map { " \(ShellCommand.option("--library", $0))" } ?? ""
    return (["swiftwing"] + words).joined(separator: " ") + option
  }

  /// Returns the library's option with an absolute path, which is valid in any folder, as a page needs it. Empty for the default library.
  func wholeOption() throws -> String {
    let place = try directory()
    return Self.option(place.hasPrefix("/") ? place : "\(FileManager.default.currentDirectoryPath)/\(place)")
  }

  /// Returns the option that names a library in a command to be copied, with a space before it. Empty for the default library, which needs
  /// none.
  /// - Parameter directory: the folder of the library.
  static func option(
    _ directory: String, _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let standard = try? Store.standardDirectory(environment)
    return directory == standard ? "" : " \(ShellCommand.option("--library", directory))"
  }

  /// Returns the files of the library, which nothing else may overwrite.
  func files() throws -> [String] {
    let directory = try directory()
    let images = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/images")) ?? []
    return ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "device-id"].map {
      "\(directory)/\($0)"
    }
      + images.map { "\(directory)/images/\($0)" }
  }

  /// Opens the library. Another process may scan into it at the same time.
  /// - Parameter makes: whether a missing library is created.
  func open(making makes: Bool = false) throws -> Store {
    guard let path else {
      return try Store(
        directory: Store.standardDirectory(ProcessInfo.processInfo.environment), access: .visitor)
    }
    let directory = Store.directory(named: path)
    guard makes || Store.exists(in: directory) else {
      throw DeliveryError(
        .badInput, "open the library \(path)", reason: "there is no library there",
        remedy: "check its name, or make one with `swiftwing library import FILE "
          + "\(ShellCommand.option("--library", path))`")
    }
    return try Store(directory: directory, access: .visitor)
  }
}
