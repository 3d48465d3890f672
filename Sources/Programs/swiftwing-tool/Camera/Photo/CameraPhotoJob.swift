import BookScan
import Capture
import Console
import Foundation
import Harness
import Imagery
import System

struct CameraPhotoJob: Sendable {
  let source: String
  /// The path of the photo. Several photos are numbered before the extension.
  let path: String
  /// Further input files, which no photo may overwrite.
  let inputs: [String]
  /// Whether photos may replace files.
  let mayReplace: Bool
  let settings: PhotoSettings
  /// The orientation of the device; nil for the camera's own value.
  let angle: Rotation?
  let options: CameraPhotoOptions
  /// Whether photos are only taken, and not written.
  private(set) var isDraft = false

  struct Shot: Encodable {
    var out: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    /// The JPEG quality; nil if the picture keeps the camera's encoding.
    var quality: Int?
    var keepsEncoding: Bool?
    /// The sequence number of the device.
    var frame: UInt32?
    /// The time from the press to the frame's exposure; negative if the exposure was earlier.
    var lagMilliseconds: Double?
    var exposureSeconds: Double?
    var iso: Double?
    var exposureBias: Double?
    /// The choice of the size; nil if the size was given.
    var legible: LegibleOutcome?
    /// The reason why there is no photo; nil if there is a photo.
    var failure: String?
  }

  struct Outcome: Encodable {
    var source: String
    var camera: String
    var format: String
    var photos: [Shot]
    /// The controls of the preset that the camera refused.
    var refused: [CameraControlResult]
    /// Further notes on the photos, one sentence each.
    var notes: [String]
  }

  /// Takes the photos.
  /// - Parameter choice: chooses the photo's size; nil for the size of the settings.
  /// - Throws: the reason why the camera or a file cannot be used; `ExitCode` 130 after ^C.
  func run(_ choice: LegibleChoice? = nil) async throws -> Outcome {
    for path in paths { _ = try destination(path) }
    guard let choice else { return try await shoot(PhotoOutput()) }
    let kept = Locked<KeptFrame.Picture?>(nil)
    var draft = self
    draft.isDraft = true
    var outcome = try await draft.shoot(PhotoOutput(makeProcessor: { KeptFrame(kept) }))
    guard let picture = kept.withLock({ $0 }), !outcome.photos.contains(where: { $0.failure != nil }) else {
      return outcome
    }
    let (legibility, legible) = try choice.photo(
      picture.image, orientation: picture.orientation, settings: picture.settings)
    let photo = legibility.photo
    let destination = try destination(path)
    try OutputFile(path: path).write(Data(photo.bytes))
    destination.tellReplaced()
    outcome.photos[0].show(photo)
    outcome.photos[0].legible = legible
    outcome.notes += choice.notes(legibility, legible)
    return outcome
  }

  private func shoot(_ output: PhotoOutput) async throws -> Outcome {
    output.angleLock = angle
    var finder: FormatFinder?
    // Opens the camera in the size of the photo. There is no viewfinder whose stream a still would have to interrupt, and the
    // exposure settles in the format of the photo.
    if let size = options.size.flatMap({ PixelSize($0) }) {
      finder = FormatFinder(size: size, framesPerSecond: 1)
    }
    return try await CommandCamera.use(source, outputs: [output], format: finder) { camera in
      let refused = try await refusals(camera)
      try await Task.sleep(for: .seconds(options.delay ?? (source.hasPrefix("/dev/") ? 1 : 0)))
      var (shots, notes): ([Shot], [String]) = ([Shot()], [])
      do { (shots, notes) = try await take(camera.session, output) } catch let error as SessionError {
        // A press after the end of the source is refused. Below, the shot gets the reason.
        guard await camera.session.state == .ended else { throw error }
      }
      if await camera.session.state == .ended { shots = shots.map(endedShot) }
      let format = await camera.session.format?.description ?? "unknown"
      notes = refused.map(ControlText.line) + notes
      return Outcome(
        source: source, camera: camera.description.name, format: format, photos: shots, refused: refused,
        notes: notes)
    }
  }

  /// Applies the preset. Returns what the camera refused; the photo is taken nevertheless.
  private func refusals(_ camera: CommandCamera) async throws -> [CameraControlResult] {
    guard let preset = options.preset else { return [] }
    return try await camera.apply(preset).filter { $0.refusal != nil }
  }

  /// Gives a missing photo the reason that the source had ended; the session's own advice would not help.
  private func endedShot(_ shot: Shot) -> Shot {
    guard shot.out == nil else { return shot }
    return Shot(
      failure: "the photo was not taken: \(source) had ended; ask for fewer photos, or a longer source")
  }

  /// Writes each photo when it is taken, so that a long burst needs little memory.
  private func take(
    _ session: CaptureSession, _ output: PhotoOutput
  ) async throws -> (shots: [Shot], notes: [String]) {
    if let biases = options.biases {
      let steps = await session.bracketSteps(biases: biases)
      let shots = try await session.captureBracket(steps, settings, from: output)
      var written = try zip(paths, shots).map { try write($0, $1.result) }
      for index in written.indices where written[index].exposureBias == nil {
        written[index].exposureBias = biases[index]
      }
      return (written, ControlText.clamped(shots.flatMap(\.controls)).map { [$0] } ?? [])
    }
    guard let count = options.burst else {
      return ([try write(path, .success(try await session.capturePhoto(settings, from: output)))], [])
    }
    var (shots, rest) = ([Shot](), paths[...])
    for await shot in try await session.captureBurst(of: count, settings, from: output) {
      let shot = try write(rest.first ?? path, shot)
      // The numbers follow the photos: a shot without one is answered before those whose photos are being made.
      if shot.failure == nil { rest = rest.dropFirst() }
      shots.append(shot)
    }
    try Task.checkCancellation()
    return (shots, [])
  }

  /// The paths of the photos, in order.
  var paths: [String] {
    guard let count = options.biases?.count ?? options.burst else { return [path] }
    return (0..<count).map { NumberedPath(path: path).numbered($0, of: count) }
  }

  private func destination(_ path: String) throws(DestinationError) -> Destination {
    try Destination(path, madeOf: inputs, mayReplace: mayReplace)
  }

  private func write(_ path: String, _ result: Result<CapturedPhoto, any Error>) throws -> Shot {
    let captured: CapturedPhoto
    switch result {
    case .success(let photo): captured = photo
    case .failure(let error): return Shot(failure: "\(error)")
    }
    if !isDraft {
      let destination = try destination(path)
      try OutputFile(path: path).write(Data(captured.photo.bytes))
      destination.tellReplaced()
    }
    let photo = captured.photo
    return Shot(
      out: path, width: photo.size.width, height: photo.size.height, bytes: photo.bytes.count,
      quality: photo.isEncodingPreserved ? nil : photo.quality, keepsEncoding: photo.isEncodingPreserved,
      frame: captured.frame.sequence,
      lagMilliseconds: captured.shutterLag.milliseconds,
      exposureSeconds: captured.settings.exposureDuration, iso: captured.settings.iso,
      exposureBias: captured.settings.bias)
  }
}

extension CameraPhotoJob.Shot {
  mutating func show(_ photo: Photo) {
    width = photo.size.width
    height = photo.size.height
    bytes = photo.bytes.count
    quality = photo.quality
  }
}

extension FrameSettings {
  /// The exposure bias, by the camera and by brightening the picture; nil if unknown.
  fileprivate var bias: Double? {
    digitalExposureBias == 0 ? exposureBias : (exposureBias ?? 0) + digitalExposureBias
  }
}

extension CameraPhotoJob.Outcome {
  /// Prints a line for each photo.
  func tell() {
    for shot in photos {
      guard let out = shot.out else { continue }
      let lag = String(format: "%+.1f", shot.lagMilliseconds ?? 0)
      var line =
        "\(out): \(shot.width ?? 0)×\(shot.height ?? 0), \((shot.bytes ?? 0) / 1000) kB, \(lag) ms from the press"
      if let seconds = shot.exposureSeconds, seconds > 0 { line += ", 1/\(Int((1 / seconds).rounded())) s" }
      if let iso = shot.iso { line += ", ISO \(Int(iso.rounded()))" }
      if let bias = shot.exposureBias, bias != 0 { line += ", \(String(format: "%+.1f", bias)) EV" }
      if let legible = shot.legible {
        line += ", \(legible.tokens) tokens by \(legible.profile), \(legible.text)"
      }
      Terminal.say(line)
    }
    for line in failures { Terminal.tell("swiftwing: \(line)") }
  }

  /// The reasons why photos are missing, each once, with the number of photos.
  var failures: [String] {
    let reasons = photos.filter { $0.out == nil }.map { $0.failure ?? "there is no photo" }
    let counts = Dictionary(reasons.map { ($0, 1) }, uniquingKeysWith: +)
    var told: Set<String> = []
    return reasons.filter { told.insert($0).inserted }.map { reason in
      let count = counts[reason] ?? 1
      return count == 1 ? reason : "\(count) of \(photos.count) photos are missing: \(reason)"
    }
  }

  /// Whether a photo is missing, or the camera refused a control of the preset.
  var hasFailed: Bool { !refused.isEmpty || photos.contains { $0.out == nil } }
}
