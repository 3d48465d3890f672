import BookScan
import Catalogue
import Console
import Foundation
import Imagery
import Library
import ScanStation
import Uploads

/// The parts that turn photos into books, created from the options.
struct RecognitionSetup {
  let recognition: Recognition
  let journal: ScanJournal
  /// The local recogniser with its version; nil if none is used.
  var reader: String? { worker?.name }
  /// The process that reads; nil if none is used.
  let worker: RecognitionWorker?

  /// Creates the setup.
  /// - Parameters:
  ///   - catalogue: the catalogue that names the books that are read; it may be none.
  ///   - folder: the folder of the library.
  ///   - keepsCut: whether a spine that the photo's edge cuts off counts as a book.
  /// - Throws: `DeliveryError`, `CatalogueError`; `ScanError` if a recogniser is needed and none works.
  init(
    _ ways: WayOptions, _ options: RecognitionOptions, catalogue: CataloguePlace, library folder: String,
    keepsCut: Bool
  ) throws {
    let naming = try catalogue.openIfNamed()?.naming()
    let remote = try Self.backend(ways, library: folder)
    let worker = try Self.worker(ways, options)
    self.worker = worker
    let reader = worker.flatMap { worker in
      ways.recognizer == .backend && ways.isStrict ? nil : PhotoReader(worker: worker, level: options.level)
    }
    journal = ScanJournal(keepsCut: keepsCut, naming: naming ?? { _ in nil })
    recognition = Recognition(
      WaySettings(first: ways.recognizer, fallsBack: !ways.isStrict, patience: ways.patience),
      remote: remote, reader: reader, uploads: Self.uploads(ways),
      legibility: try Self.legibility(ways, options, worker: worker), journal: journal, recordingIn: folder)
  }

  private static func backend(
    _ ways: WayOptions, library folder: String
  ) throws(DeliveryError) -> TalariaClient? {
    guard ways.recognizer != .local else { return nil }
    let environment = ProcessInfo.processInfo.environment
    guard let server = ways.server ?? environment["SWIFTWING_TALARIA_URL"], !server.isEmpty else {
      throw DeliveryError(
        .badInput, "scan by \(ways.recognizer.rawValue)", reason: "no backend is named",
        remedy: "name one with --server or SWIFTWING_TALARIA_URL, or scan with --recognizer local")
    }
    let settings = TalariaSettings(server: server, transport: .environment(environment))
    return try TalariaClient(settings, device: try BackendIdentity(directory: folder))
  }

  /// Returns nil if no recogniser is needed, or if none works and the way can do without a recogniser.
  private static func worker(_ ways: WayOptions, _ options: RecognitionOptions) throws -> RecognitionWorker? {
    if ways.recognizer == .backend, ways.isStrict, ways.uploadSize != .legible { return nil }
    do { return try options.makeWorker() } catch {
      guard ways.recognizer == .backend else { throw error }
      var consequences: [String] = []
      if !ways.isStrict {
        consequences.append("If the backend fails, nothing can be read on this machine.")
      }
      if ways.uploadSize == .legible {
        consequences.append("The height of the letters decides how large photos are sent.")
      }
      Terminal.tell("note: \(error) \(consequences.joined(separator: " "))")
      return nil
    }
  }

  private static func uploads(_ ways: WayOptions) -> PhotoSettings {
    guard case .longSide(let pixels) = ways.uploadSize else { return PhotoSettings() }
    return PhotoSettings(longSide: pixels)
  }

  /// Returns nil if no image is sent to a backend, or if its size is given.
  private static func legibility(
    _ ways: WayOptions, _ options: RecognitionOptions, worker: RecognitionWorker?
  ) throws -> LegibilitySolver? {
    guard ways.recognizer == .backend, ways.uploadSize == .legible else { return nil }
    return LegibilitySolver(
      LegibilityGoal(profile: try TokenProfiles.named(ways.budget)),
      reader: worker.map { LegibilityReader(worker: $0, level: options.level) })
  }
}
