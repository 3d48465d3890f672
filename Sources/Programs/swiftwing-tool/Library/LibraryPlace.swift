import ArgumentParser
import Foundation
import Library
import System
import Uploads

/// Which library a command is about.
struct LibraryPlace: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: ArgumentHelp(
      "File or folder of the library; by default $XDG_DATA_HOME/swiftwing/library.sqlite.",
      valueName: "PATH"))
  var path: String?

  /// The folder that it is in.
  func directory() throws -> String {
    try path.map(Store.directory(named:)) ?? Store.standardDirectory(ProcessInfo.processInfo.environment)
  }

  /// A command on this library, to be copied in the same folder.
  /// - Parameter words: those before the library, each as a shell reads it.
  func command(_ words: String...) throws -> String {
    let option = path.map { [ShellCommand.option("--library", $0)] } ?? []
    return (["swiftwing"] + words + option).joined(separator: " ")
  }

  /// The option that names it from any folder and environment, on any day, as on a page.
  func wholeOption() throws -> String {
    let place = try directory()
    let whole = place.hasPrefix("/") ? place : "\(FileManager.default.currentDirectoryPath)/\(place)"
    return ShellCommand.option("--library", whole)
  }

  /// The files that hold it, which nothing else may be written over.
  func files() throws -> [String] {
    let directory = try directory()
    let images = (try? FileManager.default.contentsOfDirectory(atPath: "\(directory)/images")) ?? []
    return ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "device-id"].map {
      "\(directory)/\($0)"
    }
      + images.map { "\(directory)/images/\($0)" }
  }

  /// Opens the library. Another process may scan into it meanwhile.
  /// - Parameter makes: whether a library that is not there yet is made.
  func open(making makes: Bool = false) throws -> Store {
    guard let path else {
      return try Store(
        directory: Store.standardDirectory(ProcessInfo.processInfo.environment), access: .visitor)
    }
    let directory = Store.directory(named: path)
    guard makes || Store.exists(in: directory) else {
      throw DeliveryError(
        .badInput, "open the library \(path)", reason: "there is no library there",
        remedy: "check its name, or make one by an import")
    }
    return try Store(directory: directory, access: .visitor)
  }
}
