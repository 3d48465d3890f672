package import Capture
package import Imagery
import JSON
package import System

/// Makes of each frame what a browser shows: the camera's own JPEG where nothing is to be done to it but a turn, which the browser does;
/// otherwise an upright JPEG, encoded once for all. Without a viewer it does nothing.
package final class PictureOutput: FrameOutput {
  private let worker: OutputWorker<Frame>
  private let hub: PictureHub
  private let wishes: Locked<PictureWishes>
  private let pace: PreviewPace

  /// - Parameters:
  ///   - quality: of what is encoded, 1…100.
  ///   - longSide: of what is encoded, in pixels.
  package init(
    hub: PictureHub, pace: PreviewPace, quality: Int, longSide: Int, clock: any CaptureClock = SystemClock()
  ) {
    let wishes = Locked(PictureWishes(quality: quality, longSide: longSide))
    let maker = PictureMaker(hub: hub, pace: pace, clock: clock)
    self.hub = hub
    self.pace = pace
    self.wishes = wishes
    worker = OutputWorker(
      name: "viewfinder", clock: clock, capacity: 1, overflow: .replaceOldest, onEnd: { maker.rest() },
      work: { frame in maker.make(frame, wishes.withLock { $0 }) })
  }

  /// What every colour becomes; nil for the camera's own.
  package var look: ColorLookup? {
    get { wishes.withLock { $0.look } }
    set { wishes.withLock { $0.look = newValue } }
  }

  package func receive(_ frame: Frame) { if hub.viewers > 0 { worker.offer(frame) } }
  package func begin() throws(ResourceShortage) { try worker.begin() }
  package func end() { worker.end() }
  /// Somebody looks.
  package var keepsSessionAwake: Bool { hub.viewers > 0 }
}

/// What is wanted of the pictures.
struct PictureWishes: Sendable {
  var quality: Int
  var longSide: Int
  var look: ColorLookup?
}

/// `@unchecked Sendable`: made before the thread begins, then used by that thread alone.
private final class PictureMaker: @unchecked Sendable {
  private let pipeline = PhotoPipeline(damage: .refuse)
  private let judge = JPEGJudge()
  private let hub: PictureHub
  private let pace: PreviewPace
  private let clock: any CaptureClock

  init(hub: PictureHub, pace: PreviewPace, clock: any CaptureClock) {
    self.hub = hub
    self.pace = pace
    self.clock = clock
  }

  func rest() { pipeline.rest() }

  func make(_ frame: Frame, _ wishes: PictureWishes) {
    guard PassedPicture.isPossible(frame, wishes) else { return encode(frame, wishes) }
    // A damaged picture is not shown; the one before stays.
    guard let picture = try? judge.picture(of: frame.image) else { return }
    guard picture.isOrdinary else { return encode(frame, wishes) }
    publish(frame, PassedPicture.head(frame), jpeg: picture.bytes)
  }

  private func encode(_ frame: Frame, _ wishes: PictureWishes) {
    let settings = PhotoSettings(
      longSide: wishes.longSide, maximumLongSide: wishes.longSide, quality: wishes.quality, maximumBytes: nil,
      priority: .speed, writesMetadata: false, zoom: frame.settings.digitalZoom,
      exposureBias: frame.settings.digitalExposureBias, look: wishes.look)
    // A damaged picture is not shown; the one before stays.
    guard
      let photo = try? pipeline.process(
        frame.image, orientation: frame.orientation.preview, settings: settings)
    else { return }
    var head: [String: JSONValue] = [
      "width": .whole(photo.size.width), "height": .whole(photo.size.height), "rotation": .integer(0),
    ]
    head["part"] = PassedPicture.part(frame.settings.digitalZoom)
    publish(frame, head, jpeg: photo.bytes)
  }

  private func publish(_ frame: Frame, _ head: [String: JSONValue], jpeg: some Collection<UInt8>) {
    let now = clock.now()
    pace.note(shown: now, exposed: frame.exposureTime)
    var head = head
    head["time"] = .number(known: Double(frame.exposureTime.nanoseconds) / 1e6)
    head["latency"] = .number(known: (now - frame.exposureTime).milliseconds)
    hub.publish(head, jpeg)
  }
}

/// A camera's own JPEG as it is.
enum PassedPicture {
  /// Turning is left to the browser, and so is a crop. A mirror, a look and a brightening are not.
  static func isPossible(_ frame: Frame, _ wishes: PictureWishes) -> Bool {
    frame.image.format.pixelFormat.isCompressed && !frame.image.isInterlaced
      && !frame.orientation.preview.isMirrored && wishes.look == nil
      && frame.settings.digitalExposureBias == 0
  }

  /// Size, turn and crop of it, as the browser is told.
  static func head(_ frame: Frame) -> [String: JSONValue] {
    let size = frame.image.format.size
    var head: [String: JSONValue] = [
      "width": .whole(size.width), "height": .whole(size.height),
      "rotation": .whole(frame.orientation.preview.rotation.rawValue),
    ]
    head["crop"] = part(frame.settings.digitalZoom)
    return head
  }

  /// What a zoom leaves of the picture; nil for all of it.
  static func part(_ zoom: Double) -> JSONValue? {
    guard zoom > 1 else { return nil }
    let (side, edge) = (1 / zoom, (1 - 1 / zoom) / 2)
    return .array([edge, edge, side, side].map { .number(known: $0) })
  }
}
