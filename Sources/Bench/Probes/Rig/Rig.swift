public import Capture
public import Corpora
import Harness
package import Imagery
import Replay
import System

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
  /// What a million tokens cost by each profile, for reports; the empty name is for all others.
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

  /// The source as written, or the bundled one that suits a scenario.
  package func source(orBundled bundled: String) throws -> any CameraSource {
    broken(try soundSource(orBundled: bundled))
  }

  /// With the fault, if there is one.
  package func broken(_ source: any CameraSource) -> any CameraSource {
    fault.map { FaultySource(base: source, fault: $0) } ?? source
  }

  /// A camera that is operated, with the fault where it is one of controls. Other faults leave it as it is: what they break is seen elsewhere.
  package func operable(_ source: any CameraSource) -> any CameraSource {
    guard let fault, fault.isOfControls else { return source }
    return FaultyControlsSource(base: source, fault: fault)
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

  /// A display, with the fault where it is one of showing.
  package func displayed(_ surface: any PreviewSurface) -> any PreviewSurface {
    switch fault {
    case .tears: TearingSurface(base: surface)
    case .freezes: FreezingSurface(base: surface, frozen: InjectedFault.frozenPictures)
    default: surface
    }
  }

  /// In virtual time the photos are of 1970, so that they are the same in every run, with the time that is written in them.
  /// - Parameter references: is given the first photos without compression.
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

  /// The place of the stored picture under a tap, from 0 to 1.
  package func devicePoint(
    of tap: (x: Double, y: Double), on geometry: PreviewGeometry
  ) -> (x: Double, y: Double) {
    guard fault == .mistakesMirror else { return geometry.devicePoint(x: tap.x, y: tap.y) }
    return PreviewGeometry(
      source: geometry.source, orientation: Orientation(rotation: geometry.orientation.rotation),
      surface: geometry.surface, gravity: geometry.gravity, zoom: geometry.zoom
    ).devicePoint(x: tap.x, y: tap.y)
  }

  /// The look that pictures are given; with the fault, none.
  package func shown(_ look: ColorLookup) -> ColorLookup? { fault == .ignoresLook ? nil : look }

  /// Gives a picture of the caller's own a look, in place.
  package func apply(_ look: ColorLookup, to image: PixelBuffer) throws(ImageError) {
    guard case .slowsLooks(let percent) = fault else { return try look.apply(to: image) }
    let burn = ProcessorBurn()
    let began = burn.now()
    try look.apply(to: image)
    burn.take(percent, since: began)
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
