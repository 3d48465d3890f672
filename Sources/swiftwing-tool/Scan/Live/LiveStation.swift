import ArgumentParser
import BookScan
import Capture
import Console
import Corpora
import Delivery
import Foundation
import Imagery
import Replay
import ScanStation

/// Makes what the options of a live scan ask for.
struct LiveStation {
  let station: ScanStation
  let recognition: Recognition
  /// What reads here, with its version; nil when nothing does.
  let reader: String?
  let library: String

  /// - Throws: `CameraError`, `DeliveryError`; `ScanError` when nothing can read and something must.
  init(_ options: LiveScan) throws {
    let environment = ProcessInfo.processInfo.environment
    let source = try SourceSpecification(options.source).makeSource(corpusRoots: CorpusRoots.standard())
    try Self.refuseStills(source, options)
    library = try options.library.map(Store.directory(named:)) ?? Store.standardDirectory(environment)
    let store = try Store(directory: library)
    let remote = try Self.backend(options, environment, library)
    let worker = try Self.worker(options)
    let reader = worker.flatMap { worker in
      options.recognizer == .backend && options.isStrict
        ? nil : PhotoReader(worker: worker, level: options.options.level)
    }
    self.reader = worker?.name
    let journal = ScanJournal(keepsCut: options.shutter == .key && options.interval == nil)
    recognition = Recognition(
      WaySettings(
        first: options.recognizer, fallsBack: !options.isStrict, patience: options.patience),
      remote: remote, reader: reader, uploads: Self.uploads(options),
      legibility: try Self.legibility(options, worker), journal: journal, recordingIn: library)
    station = ScanStation(
      source: source, store: store, recognition: recognition, journal: journal,
      shutter: Self.shutter(options))
  }

  /// Single photographs never make a steady picture: the automatic shutter would wait for ever.
  private static func refuseStills(_ source: any CameraSource, _ options: LiveScan) throws {
    guard let corpus = (source as? ReplaySource)?.corpus, corpus.manifest.isStills,
      options.shutter == .auto, options.interval == nil
    else { return }
    throw ValidationError(
      "\(options.source) holds single photographs, and the shutter waits for a steady picture; read them with "
        + "`swiftwing scan --photos \(corpus.directory)/frames/*`, or take them with --interval 1")
  }

  private static func shutter(_ options: LiveScan) -> ShutterMode {
    if let interval = options.interval { return .interval(.milliseconds(Int64(interval * 1000))) }
    return options.shutter == .key ? .key : .automatic
  }

  private static func backend(
    _ options: LiveScan, _ environment: [String: String], _ folder: String
  ) throws(DeliveryError) -> TalariaClient? {
    guard options.recognizer != .local else { return nil }
    guard let server = options.server ?? environment["SWIFTWING_TALARIA_URL"], !server.isEmpty else {
      throw DeliveryError(
        .badInput, "scan by \(options.recognizer.rawValue)", reason: "no backend is named",
        remedy: "name one with --server or SWIFTWING_TALARIA_URL, or scan with --recognizer local")
    }
    let settings = TalariaSettings(server: server, transport: .environment(environment))
    return try TalariaClient(settings, device: try DeviceIdentity(directory: folder))
  }

  /// Nil where nothing can read and the way does not need it.
  private static func worker(_ options: LiveScan) throws -> RecognitionWorker? {
    if options.recognizer == .backend, options.isStrict, options.uploadSize != .legible { return nil }
    do {
      return try options.options.makeWorker()
    } catch {
      guard options.recognizer == .backend else { throw error }
      var consequences: [String] = []
      if !options.isStrict {
        consequences.append("If the backend fails, nothing can be read on this machine.")
      }
      if options.uploadSize == .legible {
        consequences.append("The height of the letters decides how large photos are sent.")
      }
      Terminal.tell("note: \(error) \(consequences.joined(separator: " "))")
      return nil
    }
  }

  private static func uploads(_ options: LiveScan) -> PhotoSettings {
    guard case .longSide(let pixels) = options.uploadSize else { return PhotoSettings() }
    return PhotoSettings(longSide: pixels)
  }

  /// Nil where no image is sent, or its size is given.
  private static func legibility(
    _ options: LiveScan, _ worker: RecognitionWorker?
  ) throws -> LegibilitySolver? {
    guard options.recognizer == .backend, options.uploadSize == .legible else { return nil }
    return LegibilitySolver(
      LegibilityGoal(profile: try TokenProfiles.named(options.budget)),
      reader: worker.map { LegibilityReader(worker: $0, level: options.options.level) })
  }
}
