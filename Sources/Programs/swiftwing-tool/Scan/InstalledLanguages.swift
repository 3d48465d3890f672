import ArgumentParser
import Foundation

/// The languages whose data for Tesseract is installed on this machine.
struct InstalledLanguages {
  let names: Set<String>

  /// Looks for data.
  /// - Parameter folders: folders that may hold data. Missing ones are ignored.
  init(folders: [String] = Self.folders(ProcessInfo.processInfo.environment)) {
    let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
    let suffix = ".traineddata"
    // Data for the direction of a script (`osd`) and for formulas (`equ`) is no language.
    names = Set(files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) })
      .subtracting(["osd", "equ"])
  }

  /// Returns the environment's folder, then the usual folders of Debian and other systems.
  static func folders(_ environment: [String: String]) -> [String] {
    let named = environment["TESSDATA_PREFIX"].map { [$0, "\($0)/tessdata"] } ?? []
    return named + [
      "/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata",
    ]
  }

  /// Checks requested languages.
  /// - Parameter request: names joined by `+`.
  /// - Throws: `ValidationError` that names the first missing language and the installed ones. No error if no data is found at
  ///   all: the recogniser reports that.
  func check(_ request: String) throws {
    let wanted = request.split(separator: "+", omittingEmptySubsequences: false).map(String.init)
    let isName = { (name: String) in
      (3...16).contains(name.utf8.count)
        && name.unicodeScalars.allSatisfy {
          $0.isASCII && ($0.properties.isAlphabetic || "0123456789_".unicodeScalars.contains($0))
        }
    }
    guard wanted.allSatisfy(isName) else {
      throw ValidationError(
        "--languages \(request.prefix(40)) names no languages; name them as in eng+rus")
    }
    guard !names.isEmpty, let missing = wanted.first(where: { !names.contains($0) }) else { return }
    let package = "tesseract-ocr-\(missing.lowercased().replacing("_", with: "-"))"
    throw ValidationError(
      "--languages: there is no data for \(missing); there are \(names.sorted().joined(separator: ", ")); install \(package)"
    )
  }
}

extension RecognitionOptions {
  func validate() throws { if let languages { try InstalledLanguages().check(languages) } }
}
