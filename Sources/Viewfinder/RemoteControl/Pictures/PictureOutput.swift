package import Capture
package import Imagery
import JSON
package import System

/// Converts each frame to a picture for a browser: the camera's own JPEG if it only needs to be rotated or cropped, which the browser does;
/// otherwise an upright JPEG, encoded once for all viewers. Without viewers it does nothing.
package final class PictureOutput: FrameOutput {
  private let worker: OutputWorker<Frame>
  private let hub: PictureHub
  private let wishes: Locked<PictureWishes>
  private let pace: PreviewPace

  /// - Parameters:
  ///   - quality: the quality of encoded pictures, 1…100.
  ///   - longSide: the longer side of encoded pictures, in pixels.
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

  /// The look that is applied to the pictures. Nil for the camera's own colours.
  package var look: ColorLookup? {
    get { wishes.withLock { $0.look } }
    set { wishes.withLock { $0.look = newValue } }
  }

  package func receive(_ frame: Frame) { if hub.viewers > 0 { worker.offer(frame) } }
  package func begin() throws(ResourceShortage) { try worker.begin() }
  package func end() { worker.end() }
  /// Whether there is a viewer.
  package var keepsSessionAwake: Bool { hub.viewers > 0 }
}

/// The requested properties of the pictures.
struct PictureWishes: Sendable {
  var quality: Int
  var longSide: Int
  var look: ColorLookup?
}

/// `@unchecked Sendable`: created before the thread begins, and then used by that thread only.
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
    // Do not show a damaged picture; the previous one stays.
    guard let picture = try? judge.picture(of: frame.image) else { return }
    guard picture.isOrdinary else { return encode(frame, wishes) }
    publish(frame, PassedPicture.head(frame), jpeg: picture.bytes)
  }

  private func encode(_ frame: Frame, _ wishes: PictureWishes) {
    let settings = PhotoSettings(
      longSide: wishes.longSide, maximumLongSide: wishes.longSide, quality: wishes.quality, maximumBytes: nil,
      priority: .speed, writesMetadata: false, zoom: frame.settings.digitalZoom,
      exposureBias: frame.settings.digitalExposureBias, look: wishes.look)
    // Do not show a damaged picture; the previous one stays.
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

/// A camera's own JPEG, passed on unchanged.
enum PassedPicture {
  /// Whether a frame can be passed on. The browser rotates and crops; it cannot mirror, apply a look or brighten.
  static func isPossible(_ frame: Frame, _ wishes: PictureWishes) -> Bool {
    frame.image.format.pixelFormat.isCompressed && !frame.image.isInterlaced
      && !frame.orientation.preview.isMirrored && wishes.look == nil
      && frame.settings.digitalExposureBias == 0
  }

  /// The description for the browser: size, rotation and crop.
  static func head(_ frame: Frame) -> [String: JSONValue] {
    let size = frame.image.format.size
    var head: [String: JSONValue] = [
      "width": .whole(size.width), "height": .whole(size.height),
      "rotation": .whole(frame.orientation.preview.rotation.rawValue),
    ]
    head["crop"] = part(frame.settings.digitalZoom)
    return head
  }

  /// The part of the picture that a zoom shows. Nil for all of it.
  static func part(_ zoom: Double) -> JSONValue? {
    guard zoom > 1 else { return nil }
    let (side, edge) = (1 / zoom, (1 - 1 / zoom) / 2)
    return .array([edge, edge, side, side].map { .number(known: $0) })
  }
}
