import Capture
import Corpora
import Harness
import Imagery
import Probes
import Replay

/// Describes the source of a bench for its report.
struct SourceIdentity {
  let rig: Rig
  /// The scenarios. Those that need a device look for one in the lab if no source is named.
  let scenarios: [any Scenario]

  /// The bundled corpora that scenarios use when no source is named.
  private static let bundled = ["shelf-pan", "stills-12mp", "trouble", "turn", "turn-mirrored"]

  var description: SourceDescription {
    get throws {
      guard let specification = rig.specification else {
        let takesCorpora = scenarios.contains { Suite.ordinary.contains($0.suite) || $0.suite == .scan }
        if takesCorpora { return try bundledDescription() }
        return scenarios.allSatisfy { $0.suite == .counted }
          ? SourceDescription(kind: "program", name: "The program's own paths, without a camera")
          : SourceDescription(kind: "v4l2", name: "The cameras of the device lab")
      }
      let source = try SourceSpecification(specification).makeSource(corpusRoots: rig.corpusRoots)
      if let replay = source as? ReplaySource {
        let manifest = try sound(replay.corpus).manifest
        return SourceDescription(
          kind: "corpus", name: manifest.title, driver: "replay", bus: specification,
          format: "\(manifest.pixelFormat.rawValue) \(manifest.size) \(manifest.frameInterval)",
          digest: replay.corpus.digest)
      }
      return try describe(source, specification)
    }
  }

  /// Describes a camera after opening it once before the run, so that a missing or refused camera is reported once, not in every
  /// scenario.
  private func describe(_ source: any CameraSource, _ specification: String) throws -> SourceDescription {
    let camera = try source.makeCamera(clock: SystemClock())
    defer { camera.close() }
    let offer = try camera.open()
    guard offer.kind == .v4l2 else {
      return SourceDescription(kind: offer.kind.rawValue, name: specification)
    }
    return SourceDescription(
      kind: offer.kind.rawValue, name: offer.name, driver: offer.driver, bus: offer.bus,
      format: FormatFinder().best(of: offer.formats)?.description)
  }

  private func bundledDescription() throws -> SourceDescription {
    let corpora = try Self.bundled.map { try sound(Corpus.find($0, searching: rig.corpusRoots)) }
    return SourceDescription(
      kind: "corpus", name: "The bundled corpora: \(Self.bundled.joined(separator: ", "))", driver: "replay",
      digest: corpora.map(\.digest).joined(separator: " "))
  }

  /// Checks the corpus against its manifest.
  private func sound(_ corpus: Corpus) throws -> Corpus {
    guard let finding = corpus.verifyDigests().findings.first else { return corpus }
    throw CameraError.invalidSource("corpus:\(corpus.manifest.name)", reason: finding)
  }
}
