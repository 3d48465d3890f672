public import ArgumentParser
import Foundation
import Imagery
import Library
public import ScanStation
import Uploads

/// The options about the way from photos to books, for a camera or for files.
struct WayOptions: ParsableArguments {
  @Option(help: ArgumentHelp("How photos become books.", valueName: "local|hybrid|backend"))
  var recognizer = RecognitionWay.local
  @Flag(name: .customLong("no-fallback"), help: "Use only the chosen way; scans wait for the backend.")
  var isStrict = false
  @Option(help: ArgumentHelp("Address of the backend, with https.", valueName: "URL")) var server: String?
  @Option(
    help: ArgumentHelp("The seconds to wait for a backend that cannot be reached.", valueName: "SECONDS"))
  var patience = 10.0
  @Option(
    help: ArgumentHelp(
      "How large images are sent: legible, or the longest side in pixels, at most 1920.",
      valueName: "legible|N"))
  var uploadSize = UploadSize.legible
  @Option(
    help: ArgumentHelp(
      "The token profile of --upload-size legible; by default seed.", valueName: "PROFILE"))
  var budget: String?

  /// The name of the first of these options that has another value than its default. Nil if none has.
  var firstOption: String? {
    if recognizer != .local { return "--recognizer" }
    if isStrict { return "--no-fallback" }
    if server != nil { return "--server" }
    if patience != 10 { return "--patience" }
    if uploadSize != .legible { return "--upload-size" }
    return budget == nil ? nil : "--budget"
  }

  func validate() throws {
    guard (0...86_400).contains(patience) else {
      throw ValidationError("--patience must be 0 to 86400 seconds, not \(patience)")
    }
  }
}

/// The size at which images are sent to a backend.
enum UploadSize: Equatable, ExpressibleByArgument {
  case legible
  /// The length of the longest side, pixels.
  case longSide(Int)

  init?(argument: String) {
    if argument == "legible" {
      self = .legible
    } else {
      guard let longSide = Int(argument), (1...1920).contains(longSide) else { return nil }
      self = .longSide(longSide)
    }
  }

  var defaultValueDescription: String {
    switch self {
    case .legible: "legible"
    case .longSide(let pixels): "\(pixels)"
    }
  }
}

extension RecognitionWay: ExpressibleByArgument {}

/// The library of a scan: `--library FOLDER`, or `--library` alone for the user's own.
enum LibraryChoice: Equatable, ExpressibleByArgument {
  case own
  case folder(String)

  /// The placeholder for a missing folder. Nobody can type it.
  private static let alone = "\u{0}"

  init?(argument: String) {
    if argument.isEmpty { return nil }
    self = argument == Self.alone ? .own : .folder(argument)
  }

  /// Returns the folder of the library.
  /// - Throws: `DeliveryError` if the environment does not tell the user's own folder; `ValidationError` if the path is a file.
  func directory() throws -> String {
    guard case .folder(let path) = self else {
      return try Store.standardDirectory(ProcessInfo.processInfo.environment)
    }
    let folder = Store.directory(named: path)
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), !isFolder.boolValue {
      throw ValidationError(
        "--library \(path) is a file and no folder; for your own library write --library after the photographs"
      )
    }
    return folder
  }

  /// Adds the placeholder to a `--library` without a folder, which the parser does not support.
  /// - Parameter arguments: the arguments after the program's name.
  static func completed(_ arguments: [String]) -> [String] {
    guard arguments.first == "scan",
      let index = arguments.firstIndex(where: { $0 == "--library" || $0 == "--" }),
      arguments[index] == "--library"
    else { return arguments }
    let next = index + 1
    if next < arguments.count, !arguments[next].hasPrefix("-") { return arguments }
    return arguments[..<index] + ["--library=\(alone)"] + arguments[next...]
  }
}
