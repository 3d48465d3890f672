public import Capture
public import Corpora
import Harness
package import Imagery
import Replay

/// What the scenarios measure: the engine on the source the user named, or, without one, on the corpora that came with
/// the program; with a fault injected where the harness itself is being proved.
public struct Rig: Sendable {
  /// As after `--source`; nil for the bundled corpora.
  public var specification: String?
  /// A camera that is already there, in place of what the specification names.
  public var camera: (any CameraSource)?
  public var corpusRoots: [String]
  public var fault: InjectedFault?
  /// The `swiftwing` executable whose cold start is measured.
  public var viewfinder: String

  public init(
    specification: String? = nil, corpusRoots: [String] = CorpusRoots.standard(), fault: InjectedFault? = nil,
    viewfinder: String
  ) {
    self.specification = specification
    self.corpusRoots = corpusRoots
    self.fault = fault
    self.viewfinder = viewfinder
  }

  /// The source as written, or the bundled one that suits a scenario.
  package func source(orBundled bundled: String) throws -> any CameraSource {
    broken(try soundSource(orBundled: bundled))
  }

  /// With the fault, if there is one.
  package func broken(_ source: any CameraSource) -> any CameraSource {
    fault.map { FaultySource(base: source, fault: $0) } ?? source
  }

  /// The same without the fault.
  package func soundSource(orBundled bundled: String) throws -> any CameraSource {
    try camera ?? SourceSpecification(specification ?? bundled).makeSource(corpusRoots: corpusRoots)
  }

  /// The corpus that is played; nil for other sources.
  package func corpus(orBundled bundled: String) throws -> Corpus? {
    (try soundSource(orBundled: bundled) as? ReplaySource)?.corpus
  }

  package func makeSurface(size: PixelSize, interval: Duration, clock: any CaptureClock) -> any PreviewSurface
  {
    let surface = OffscreenSurface(size: size, clock: clock)
    return switch fault {
    case .slowsPreview(let percent): SlowSurface(base: surface, percent: percent)
    case .jitters: LateSurface.unsteady(surface, interval: interval, clock: clock)
    case .swapsRedAndBlue: SwappingSurface(base: surface)
    case .freezes: FreezingSurface(base: surface, frozen: InjectedFault.frozenPictures)
    default: surface
    }
  }

  /// - Parameter references: is given the first photos without compression.
  package func makePhotoOutput(clock: any CaptureClock, references: References? = nil) -> PhotoOutput {
    PhotoOutput(clock: clock) {
      let base = makePhotoPipeline()
      return references.map { ReferencePipeline(base: base, references: $0) } ?? base
    }
  }

  package func makePhotoPipeline() -> any PhotoProcessing {
    switch fault {
    case .upscalesPhotos: UpscalingPipeline()
    case .exceedsCeiling: OversizePipeline()
    case .blanksPhotos: SpoilingPipeline(.blank)
    case .softensPhotos: SpoilingPipeline(.soft)
    case .swapsChroma: SpoilingPipeline(.swappedChroma)
    case .slowsPhotos(let percent):
      SlowPipeline(base: PhotoPipeline(damage: .refuse), percent: percent)
    default: PhotoPipeline(damage: .refuse)
    }
  }

  /// Hands `session`'s pictures to `handler` for analysis.
  package func addAnalysis(
    to session: CaptureSession, clock: any CaptureClock,
    handler: @escaping @Sendable (AnalysisPicture) -> Void
  ) async {
    for _ in 0..<(fault == .feedsTwice ? 2 : 1) {
      await session.add(AnalysisOutput(clock: clock, handler: handler))
    }
  }

  /// Locks the preview of `session` to how a device held at `rotation` sees upright.
  package func lockPreview(of session: CaptureSession, to rotation: Rotation) {
    if fault != .ignoresLock { session.rotation.lockSurface(to: rotation) }
  }

  /// What the user is told of an interruption.
  package func notice(of reason: InterruptionReason) -> (
    severity: InterruptionReason.Severity, message: String
  ) {
    let told = fault == .tellsBackground && reason == .background ? .deviceInUse : reason
    return (told.severity, told.message)
  }
}

/// The shutter, and with the fault the last photo it took.
package struct RigShutter: Sendable {
  private let repeatsPhotos: Bool
  private let last = Latest<CapturedPhoto>()

  package init(_ rig: Rig) { repeatsPhotos = rig.fault == .repeatsPhotos }

  package func press(
    _ settings: PhotoSettings, from output: PhotoOutput, of session: CaptureSession
  ) async throws -> CapturedPhoto {
    do {
      let photo = try await session.capturePhoto(settings, from: output)
      last.value = photo
      return photo
    } catch {
      if repeatsPhotos, case SessionError.Code.captureRefused = error, let photo = last.value { return photo }
      throw error
    }
  }
}
