import ArgumentParser
import Capture
import Corpora
import Library
import Replay
import ScanStation
import System
import Uploads

/// Creates the parts of a live scan from its options.
struct LiveStation {
  let station: ScanStation
  let recognition: Recognition
  /// The local recogniser with its version; nil if none is used.
  let reader: String?
  let library: String

  /// Creates the parts.
  /// - Throws: `CameraError`, `DeliveryError`; `ScanError` if a recogniser is needed and none works.
  init(_ options: LiveScan) throws {
    let source = try SourceSpecification(options.source).makeSource(corpusRoots: CorpusRoots.standard())
    try Self.refuseStills(source, options)
    library = try (options.library ?? .own).directory()
    let store = try Store(directory: library)
    let setup = try RecognitionSetup(
      options.ways, options.options, catalogue: options.catalogue, library: library,
      keepsCut: options.shutter == .key && options.interval == nil)
    recognition = setup.recognition
    reader = setup.reader
    station = ScanStation(
      source: source, store: store, recognition: recognition, journal: setup.journal,
      location: options.place.location, shutter: Self.shutter(options))
  }

  /// Refuses single photographs with the automatic shutter, which would wait forever for a steady picture.
  private static func refuseStills(_ source: any CameraSource, _ options: LiveScan) throws {
    guard let corpus = (source as? ReplaySource)?.corpus, corpus.manifest.isStills,
      options.shutter == .auto, options.interval == nil
    else { return }
    throw ValidationError(
      "\(options.source) holds single photographs, and the shutter waits for a steady picture; read them with "
        + "`swiftwing scan --photos \(ShellCommand.file(corpus.directory))/frames/*`, or take them with --interval 1"
    )
  }

  private static func shutter(_ options: LiveScan) -> ShutterMode {
    if let interval = options.interval { return .interval(.milliseconds(Int64(interval * 1000))) }
    return options.shutter == .key ? .key : .automatic
  }
}
