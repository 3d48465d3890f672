import Capture
import Harness
import Imagery
import Probes
import System

import struct Foundation.Data

/// IMG-1, ROT-2 on a real device: a photo in every pixel format, held at all four angles.
struct DevicePhotos: Scenario {
  let id = "photo.device"
  let suite = Suite.device
  let title = "Photos from a device"
  let purpose =
    "Each driver lays out the rows and planes of a format in its own way; the photo must be right all the same."
  let exampleFailure =
    "A photo path that overlooks the padding of a driver's rows: the picture leans."
  let requirements: [RequirementID] = ["IMG-1", "ROT-2"]
  let rig: Rig

  /// Proves that the bars are read at every angle, and that grey is not taken for bars.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    for turned in Rotation.allCases where ColorBars.reading(of: try ColorBars.example(turned)) != turned {
      return .failed("bars turned by \(turned) were read otherwise")
    }
    guard ColorBars.reading(of: try ColorBars.example(nil)) == nil else {
      return .failed("a grey picture was recognised as bars")
    }
    return .passed("bars were read at all four turns, and a grey picture as none")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    guard let specification = rig.specification, specification.hasPrefix("/dev/") else {
      throw Unsupported(
        "this scenario needs a device; name one: `--source /dev/video0`, or run `photo.formats`")
    }
    let source = try rig.source(orBundled: specification)
    var observation = Observation()
    for format in try await onOwnThread({ try formats(of: source) }) {
      try Task.checkCancellation()
      let shots = try await DevicePhotoPlay(rig: rig, source: source, format: format).shots()
      add(shots, of: format, to: &observation)
    }
    return observation
  }

  /// Returns, for each pixel format, the format nearest to 640×480: the read path matters here, not the size.
  private func formats(of source: any CameraSource) throws -> [CameraFormat] {
    let camera = try source.makeCamera(clock: SystemClock())
    defer { camera.close() }
    let offered = try camera.open().formats
    let finder = FormatFinder(size: PixelSize(width: 640, height: 480))
    return PixelFormat.allCases.compactMap { format in
      finder.best(of: offered.filter { $0.image.pixelFormat == format })
    }
  }

  func add(_ shots: [DevicePhotoShot], of format: CameraFormat, to observation: inout Observation) {
    let name = format.image.pixelFormat.rawValue.lowercased()
    let size = shots.first?.shot.photo.photo.size
    let wrong = shots.filter { !$0.shot.isRightSize }
    observation.checks.append(
      Check(
        id: "\(id).\(name).size", title: "\(format): photos decode and have the right size",
        passed: wrong.isEmpty && shots.count == Rotation.allCases.count, subjects: shots.count,
        detail: wrong.first.map { "\($0.shot.photo.photo.size) where \($0.shot.expectedSize) was expected" }
          ?? "\(shots.count) photos, the first \(size.map(\.description) ?? "none")", requirement: "IMG-1"))
    let readable = shots.filter { $0.seen != nil }
    if readable.isEmpty {
      observation.notes.append(
        "\(format): it shows neither colour bars nor the corpus `turn`, so which way up was not looked at.")
    } else {
      let turned = shots.filter { $0.seen != $0.expected }
      observation.checks.append(
        Check(
          id: "\(id).\(name).upright", title: "\(format): upright however it is held, by the pixels",
          passed: turned.isEmpty, subjects: shots.count,
          detail: turned.first.map {
            "\($0.expected) was expected and \($0.seen?.description ?? "nothing") seen"
          }
            ?? "\(shots.count) photos at as many angles", requirement: "ROT-2"))
    }
    if let first = shots.dropFirst().first {
      observation.evidence.append(.jpeg("\(format), held at 90°", Data(first.shot.photo.photo.bytes)))
    }
  }
}

/// A photo of a device, and the orientation that its pixels show.
struct DevicePhotoShot: Sendable {
  let shot: PhotoShot
  let expected: Orientation
  let seen: Orientation?
}

/// A session that takes a photo at each of the four angles.
struct DevicePhotoPlay: Sendable {
  let rig: Rig
  let source: any CameraSource
  let format: CameraFormat

  func shots() async throws -> [DevicePhotoShot] {
    var configuration = SessionConfiguration.unattended
    let format = format
    configuration.chooseFormat = { $0.first { $0 == format } }
    let session = CaptureSession(source: source, configuration: configuration)
    let output = rig.makePhotoOutput(clock: SystemClock())
    await session.add(output)
    do {
      let shots = try await take(session, output)
      await session.stop()
      return shots
    } catch {
      await session.stop()
      throw error
    }
  }

  private func take(_ session: CaptureSession, _ output: PhotoOutput) async throws -> [DevicePhotoShot] {
    try await session.start()
    for await state in await session.states() where state != .starting && state != .loading {
      guard state == .running else { return [] }
      break
    }
    let mount = await session.camera?.mount ?? SensorMount()
    var shots: [DevicePhotoShot] = []
    for held in Rotation.allCases {
      session.rotation.noteAttitude(degrees: Double(held.rawValue), at: .now())
      // The photo may be of a frame before the request, but must not be of a frame before the turn.
      try await Task.sleep(for: format.frameInterval.duration * 3)
      let photo = try await session.capturePhoto(PhotoSettings(), from: output)
      let expected = mount.orientation(deviceTurned: held)
      shots.append(
        DevicePhotoShot(
          shot: PhotoShot(photo: photo, source: photo.frame.format, similarity: nil), expected: expected,
          seen: try seen(photo)))
    }
    return shots
  }

  private func seen(_ photo: CapturedPhoto) throws -> Orientation? {
    if let seen = try LabChart(rig).reading(photo).seen { return seen }
    let file = try ImageFile.read(photo.photo.bytes)
    let pixels = try ImageConverter(pool: PixelBufferPool()).convert(file.image, to: .grey, color: .jpeg)
    return ColorBars.reading(of: pixels).map { Orientation(rotation: $0) }
  }
}
