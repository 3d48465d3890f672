public import Capture
public import Corpora
import Harness
package import Imagery
import Replay
import System

/// The subject of the scenarios: the engine on the source that the user named or, without one, on the bundled corpora. With a fault, the harness
/// itself is being proved.
public struct Rig: Sendable {
  /// The value of `--source`. Nil for the bundled corpora.
  public var specification: String?
  /// An existing camera, used instead of the camera that the specification names. Nil for none.
  public var camera: (any CameraSource)?
  public var corpusRoots: [String]
  /// The fault that is injected on purpose. Nil for none. Only this module knows the fault: a scenario does the same with a fault as
  /// without.
  var fault: InjectedFault?
  /// The `swiftwing` executable whose cold start is measured.
  public var viewfinder: String
  /// The price of a million tokens by profile, for reports. The empty name applies to all other profiles.
  public var tokenPrices: [String: Double] = [:]

  public init(
    specification: String? = nil, corpusRoots: [String] = CorpusRoots.standard(), fault: InjectedFault? = nil,
    viewfinder: String
  ) {
    self.specification = specification
    self.corpusRoots = corpusRoots
    self.fault = fault
    self.viewfinder = viewfinder
  }

  /// Returns the same rig with another fault, or with none.
  package func with(_ fault: InjectedFault?) -> Rig {
    var rig = self
    rig.fault = fault
    return rig
  }

  /// The option that tells another process of this program the fault. Empty without a fault.
  package var faultOption: [String] { fault.map { ["--fault", "\($0)"] } ?? [] }

  /// Returns the source that the user named, or else the bundled one, with the fault.
  package func source(orBundled bundled: String) throws -> any CameraSource {
    broken(try soundSource(orBundled: bundled))
  }

  /// Returns the source with the fault, if there is one.
  package func broken(_ source: any CameraSource) -> any CameraSource {
    fault.map { FaultySource(base: source, fault: $0) } ?? source
  }

  /// Returns the source for a scenario that operates the camera's controls: with the injected fault if it is
  /// a fault of controls, and otherwise without it, because other scenarios show the effects of other faults.
  package func operable(_ source: any CameraSource) -> any CameraSource {
    guard let fault, fault.isOfControls else { return source }
    return FaultyControlsSource(base: source, fault: fault)
  }

  /// Returns the source that the user named, or else the bundled one, without the rig's fault.
  package func soundSource(orBundled bundled: String) throws -> any CameraSource {
    try camera ?? SourceSpecification(specification ?? bundled).makeSource(corpusRoots: corpusRoots)
  }

  /// Returns the corpus that is played. Nil for other sources.
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
    case .ignoresLock: TurningSurface(base: surface)
    default: surface
    }
  }

  /// Returns a display's surface, with the rig's fault if that is a fault of presentation.
  package func displayed(_ surface: any PreviewSurface) -> any PreviewSurface {
    switch fault {
    case .tears: TearingSurface(base: surface)
    case .freezes: FreezingSurface(base: surface, frozen: InjectedFault.frozenPictures)
    default: surface
    }
  }

  /// Makes a photo output. In virtual time, photos are dated in 1970, so that their files, including the date, are the same in every run.
  /// - Parameter references: collects the first photos without compression.
  package func makePhotoOutput(clock: any CaptureClock, references: References? = nil) -> PhotoOutput {
    let virtual: @Sendable () -> Int64 = { clock.now().nanoseconds }
    return PhotoOutput(
      clock: clock,
      makeProcessor: {
        let base = makePhotoPipeline()
        return references.map { ReferencePipeline(base: base, references: $0) } ?? base
      }, wallTime: clock is VirtualClock ? virtual : nil)
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

  /// Makes an output that passes pictures to `handler` for analysis.
  package func makeAnalysisOutput(
    clock: any CaptureClock, handler: @escaping @Sendable (AnalysisPicture) -> Void
  ) -> AnalysisOutput {
    let times = fault == .feedsTwice ? 2 : 1
    return AnalysisOutput(clock: clock) { picture in
      for _ in 0..<times { handler(picture) }
    }
  }
}
