import Capture
import Harness
import Imagery
import Probes
import System

import struct Foundation.Data

/// A trial that turns the device by the engine's settings only, and checks that its picture turns accordingly: at four angles, mirrored and not,
/// compared with the camera's own upright picture.
struct TurnTrial {
  let camera: QualifiedCamera

  struct Shown {
    let asked: Orientation
    let output: String
    let seen: Orientation
    let likeness: Double
  }

  func run(_ evidence: inout [Evidence]) async throws -> [Check] {
    let shown = LatestPicture()
    let session = CaptureSession(source: camera.source(in: camera.plan.light), configuration: .unattended)
    // The surface is square, so that every angle shows the same part of the picture.
    let surface = OffscreenSurface(size: PixelSize(width: 192, height: 192), clock: SystemClock())
    await session.add(PreviewOutput(surface: surface) { shown.note($0) })
    try await session.start()
    let result = await Result.catching { try await look(session, shown, evidence: &evidence) }
    await session.stop()
    return try result.get()
  }

  private func look(
    _ session: CaptureSession, _ shown: LatestPicture, evidence: inout [Evidence]
  ) async throws -> [Check] {
    let upright = try await shown.picture(turned: .upright)
    guard upright.map.showsTurns else { return [] }
    var seen: [Shown] = []
    for isMirrored in [false, true] {
      session.rotation.setPreviewMirrored(isMirrored)
      for rotation in Rotation.allCases {
        session.rotation.noteAttitude(degrees: Double(rotation.rawValue), at: .now())
        let asked = Orientation(rotation: rotation)
          .followed(by: Orientation(rotation: .none, isMirrored: isMirrored))
        let picture = try await shown.picture(turned: asked)
        let (turn, likeness) = upright.map.orientation(to: picture.map, expecting: asked)
        seen.append(Shown(asked: asked, output: "preview", seen: turn, likeness: likeness))
        if !isMirrored || turn != asked {
          evidence.append(
            .jpeg("Requested \(asked), seen \(turn)", Data(picture.thumbnail))
              .of("qualify.rotation.turned", failed: turn != asked))
        }
      }
    }
    return Self.checks(seen, upright.map)
  }

  static func checks(_ shown: [Shown], _ upright: PictureMap) -> [Check] {
    // A scene that moved between two pictures shows nothing about the turn.
    let flaws = shown.filter { $0.seen != $0.asked }.map {
      "\($0.output): \($0.asked) was requested and \($0.seen) seen (likeness \(($0.likeness * 100).rounded() / 100))"
    }
    return [
      RuleCheck(
        id: "qualify.rotation.turned",
        title: "The preview is turned as requested at four angles, mirrored and not",
        requirement: "ROT-1"
      ).check(
        flaws: flaws, of: shown.count, otherwise: "\(shown.count) pictures, each as requested\(upright.doubt)"
      )
    ]
  }
}

/// The last picture on the surface, read only on request.
private final class LatestPicture: Sendable {
  struct Seen: Sendable {
    let orientation: Orientation
    let map: PictureMap
    let thumbnail: [UInt8]
  }

  private struct Wish: Sendable {
    var orientation: Orientation?
    var seen: Seen?
  }

  private let wish = Locked(Wish())

  /// Called on the preview's thread. Only a requested picture is read.
  func note(_ picture: PresentedPicture) {
    let orientation = picture.frame.orientation.preview
    guard wish.withLock({ $0.orientation == orientation && $0.seen == nil }),
      let map = try? PictureMap(of: picture.image),
      let thumbnail = try? Thumbnail.jpeg(of: picture.image, longSide: 96)
    else { return }
    wish.withLock { $0.seen = Seen(orientation: orientation, map: map, thumbnail: thumbnail) }
  }

  /// Waits for the next picture that the engine says is in this orientation.
  func picture(turned orientation: Orientation) async throws -> Seen {
    wish.withLock { $0 = Wish(orientation: orientation) }
    let deadline = MonotonicTime.now() + .seconds(10)
    while MonotonicTime.now() < deadline {
      if let seen = wish.withLock({ $0.seen }) { return seen }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw ControlPictureError("no picture turned \(orientation) was shown in 10 s")
  }
}

extension Result where Failure == any Error {
  package static func catching(_ body: () async throws -> Success) async -> Result {
    do { return .success(try await body()) } catch { return .failure(error) }
  }
}
