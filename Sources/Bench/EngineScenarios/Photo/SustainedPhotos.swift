import Capture
import Charts
import Harness
import Imagery
import Probes
import Replay
import System

/// PHO-1: photos one after another, with separate requests in between.
struct SustainedPhotos: Scenario {
  let id = "photo.sustained"
  let suite = Suite.photo
  let title = "Photos in a row"
  let purpose =
    "A burst has to have every frame, a press the frame that the user saw, and the preview must not stand still for either."
  let exampleFailure =
    "A photo path of 40 ms a photo: 25 photos a second from a camera of 30, and a press in a burst waits for all before it."
  let requirements: [RequirementID] = ["PHO-1"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let interval = Duration.milliseconds(20)
    let right = (0..<40).map { SustainedLog.Shot(frame: UInt32($0), code: UInt32($0), lag: .zero) }
    var wrong = right
    wrong[7].code = 6
    wrong.remove(at: 20)
    let (good, bad) = (
      SustainedLog(burst: right, presses: right, asked: 40, span: interval * 39, shown: 40, delivered: 40),
      SustainedLog(burst: wrong, presses: [], asked: 40, span: interval * 39, shown: 30, delivered: 40)
    )
    guard checks(good, interval).allSatisfy(\.passed) else {
      return .failed("a faultless row was not passed")
    }
    let failed = checks(bad, interval).filter { !$0.passed }.map(\.id)
    guard failed.count == 4 else { return .failed("of four faults only \(failed) were noticed") }
    return .passed(
      "a faultless row was passed; a wrong picture, a lost frame, presses without answers and a slow preview were noticed"
    )
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let play = SustainedPlay(rig: rig)
    let log = try await play.log(for: context.duration.watching)
    return observation(log, play.interval)
  }

  func observation(_ log: SustainedLog, _ interval: Duration) -> Observation {
    Observation(
      metrics: [
        Measurement(
          id: "photo.sustained.rate", title: "Photos a second, of a camera of 30 frames a second",
          unit: .framesPerSecond, polarity: .higherIsBetter, level: .synthetic,
          samples: log.rate.map { [$0] } ?? []),
        Measurement(
          id: "photo.sustained.lag",
          title: "From the press to the exposure of its frame, by its number, in frame intervals",
          unit: .ratio, level: .synthetic, kind: .timed,
          samples: log.presses.map { abs($0.lag / interval) }),
      ],
      checks: checks(log, interval),
      notes: [
        "A drawn camera of 1920×1080 at 30 frames a second in real time, with a preview of 1280×720; photos as a model takes them."
      ])
  }

  func checks(_ log: SustainedLog, _ interval: Duration) -> [Check] {
    let all = log.burst + log.presses
    let misread = all.count { $0.code != $0.frame }
    let (first, last) = (log.burst.first?.frame ?? 0, log.burst.last?.frame ?? 0)
    let missing = Int(last) - Int(first) + 1 - log.burst.count
    let off = log.presses.count { abs($0.lag / interval) > 1 }
    return [
      Check(
        id: "photo.sustained.pictures", title: "Each photo is the picture of its own frame",
        passed: misread == 0, subjects: all.count,
        detail: "\(misread) of \(all.count) photos show another number than their frame has",
        requirement: "PHO-1"),
      Check(
        id: "photo.sustained.frames", title: "The row has every frame",
        passed: missing == 0 && log.burst.count == log.asked, subjects: log.burst.count,
        detail:
          "\(log.burst.count) photos were taken of \(log.asked), and \(missing) frames between them were left out",
        requirement: "PHO-1", missedBy: Double(max(missing, log.asked - log.burst.count))),
      Check(
        id: "photo.sustained.presses",
        title: "Presses between them are answered with the frame nearest to them",
        passed: off == 0, subjects: log.presses.count,
        detail: "\(off) of \(log.presses.count) were more than a frame interval off",
        requirement: "PHO-1", missedBy: Double(off)),
      Check(
        id: "photo.sustained.preview", title: "The preview shows 99 of 100 frames during this",
        passed: log.shown * 100 >= log.delivered * 99, subjects: log.delivered,
        detail: "\(log.shown) of \(log.delivered) frames were shown", requirement: "PHO-1",
        missedBy: Double(log.delivered * 99 - log.shown * 100) / 100),
    ]
  }
}

/// The results of the play.
struct SustainedLog: Sendable {
  struct Shot: Sendable {
    var frame: UInt32
    /// The number in the picture. Nil if it could not be read.
    var code: UInt32?
    /// Time from the request to the exposure.
    var lag: Duration
  }

  var burst: [Shot]
  var presses: [Shot]
  /// The number of photos requested for `burst`.
  var asked: Int
  /// Time from the finish of the first photo to that of the last.
  var span: Duration
  /// Number of pictures that the preview showed while photos were taken.
  var shown: Int
  /// Number of frames that the camera delivered while photos were taken.
  var delivered: Int

  var rate: Double? {
    burst.count > 1 && span > .zero ? Double(burst.count - 1) / (span.milliseconds / 1000) : nil
  }
}

/// A simulated camera of 1080p with a preview, a row of photos, and separate requests in between.
struct SustainedPlay: Sendable {
  let rig: Rig
  private let source = SimulatedSource(
    size: PixelSize(width: 1920, height: 1080), frameInterval: FrameInterval(framesPerSecond: 30))

  init(rig: Rig) { self.rig = rig }

  var interval: Duration { source.frameInterval.duration }

  func log(for duration: Duration) async throws -> SustainedLog {
    let play = await Play(
      source: rig.broken(source), chart: nil, size: PixelSize(width: 1280, height: 720), interval: interval,
      rig: rig)
    let photos = rig.makePhotoOutput(clock: SystemClock())
    await play.session.add(photos)
    return try await play.session.ending {
      try await play.session.start()
      guard await play.untilPresented(15, within: .seconds(10)) else {
        throw CameraError.failed(
          source.specification, reason: "it showed nothing within 10 s; try a quieter machine")
      }
      // The largest burst has 1,000 photos.
      return try await take(min(Int(duration / interval), 1000), play, photos: photos)
    }
  }

  private func take(_ count: Int, _ play: Play, photos: PhotoOutput) async throws -> SustainedLog {
    let before = play.preview.totals.presented
    // The number depends on the time only, not on the load of the machine, so that two runs have equally many samples.
    let presses = max(1, Int(interval * count / Self.pause) - 1)
    let pressing = Task { try await press(presses, play.session, photos: photos) }
    defer { pressing.cancel() }
    var taken: [CapturedPhoto] = []
    for await shot in try await play.session.captureBurst(of: count, from: photos) {
      taken.append(try shot.get())
    }
    let shown = play.preview.totals.presented - before
    guard let first = taken.first, let last = taken.last else {
      throw CameraError.failed(
        source.specification, reason: "none of \(count) photos was made; report this as a defect")
    }
    return SustainedLog(
      burst: taken.map(shot), presses: try await pressing.value.map(shot), asked: count,
      span: last.finishedTime - first.finishedTime, shown: shown,
      delivered: Int(last.frame.sequence - first.frame.sequence))
  }

  /// Time between two requests; not a multiple of the frame interval.
  private static let pause = Duration.milliseconds(470)

  /// - Returns: the photos of `count` requests; fewer if the task is cancelled.
  private func press(
    _ count: Int, _ session: CaptureSession, photos: PhotoOutput
  ) async throws -> [CapturedPhoto] {
    var taken: [CapturedPhoto] = []
    for _ in 0..<count {
      do {
        try await Task.sleep(for: Self.pause)
        taken.append(try await session.capturePhoto(from: photos))
      } catch is CancellationError {
        break
      }
    }
    return taken
  }

  private func shot(_ photo: CapturedPhoto) -> SustainedLog.Shot {
    SustainedLog.Shot(frame: photo.frame.sequence, code: code(in: photo), lag: photo.shutterLag)
  }

  /// Returns the number in the photo, at its place in the scaled-down picture.
  private func code(in photo: CapturedPhoto) -> UInt32? {
    guard let file = try? ImageFile.read(photo.photo.bytes),
      let grey = try? ImageConverter(pool: PixelBufferPool()).convert(file.image, to: .grey, color: .jpeg)
    else { return nil }
    let size = source.size.fitted(longSide: photo.photo.size.longSide)
    let scale = Double(size.width) / Double(source.size.width)
    let corners = ChartCorners(source.timeCode).mapped { ChartPoint(x: $0.x * scale, y: $0.y * scale) }
    // The orientation of photos is judged elsewhere.
    for orientation in Orientation.allCases {
      if let code = TimeCode.read(from: grey, corners: corners.oriented(orientation, in: size)) {
        return code
      }
    }
    return nil
  }
}
