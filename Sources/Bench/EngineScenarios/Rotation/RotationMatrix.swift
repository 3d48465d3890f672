import Capture
import Charts
import Corpora
import Harness
import Imagery
import Probes
import Replay
import System

import struct Foundation.Data

/// ROT-2: every angle × mirrored or not × every output, checked on pixels.
struct RotationMatrix: Scenario {
  let id = "rotation.matrix"
  let suite = Suite.rotation
  let title = "Every angle, every output"
  let purpose =
    "A photo that lies on its side, or in the mirror, cannot be read by the model that is paid to read it."
  let exampleFailure =
    "A converter that swaps EXIF 6 and 8: width and height are right and every portrait stands on its head."
  let requirements: [RequirementID] = ["ROT-2"]
  private let rig: Rig

  init(rig: Rig) { self.rig = rig }

  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let source = SimulatedSource()
    let painter = try await SimulatedStill(source: source).picture()
    let probe = FiducialProbe(rect: source.fiducial, stored: source.size)
    for orientation in Orientation.allCases {
      let surface = try SimulatedStill.render(painter, orientation)
      guard let reading = probe.reading(in: surface, orientation: orientation), reading.isCertain,
        reading.best == orientation
      else { return .failed("a mark turned \(orientation) was not recognised") }
    }
    return .passed("the mark was recognised, turned all eight ways")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    var observation = Observation()
    var wrong = 0
    for subject in try TurningSubject.all(rig) {
      let name = subject.corpus.manifest.name
      let proofs = try await MatrixPlay(subject: subject, rig: rig).proofs()
      wrong += proofs.count { !$0.isUpright }
      for output in MatrixPlay.outputs {
        observation.checks.append(
          check(output, of: proofs.filter { $0.output == output }, rests: subject.rests.count, in: name))
      }
      observation.evidence += evidence(proofs, in: name)
    }
    observation.metrics.append(
      Measurement(
        id: "rotation.matrix.wrong", title: "Pictures that are not upright", unit: .count, level: .synthetic,
        kind: .exact,
        samples: observation.checks.isEmpty ? [] : [Double(wrong)]))
    return observation
  }

  func check(_ output: String, of proofs: [RotationProof], rests: Int, in name: String) -> Check {
    let wrong = proofs.filter { !$0.isUpright }
    let angles = Set(proofs.map(\.held)).count
    let seen = wrong.map {
      "held at \($0.held): \($0.residual.map { "\($0.inverse) off" } ?? "no mark found")"
    }
    return Check(
      id: "rotation.\(name).\(output)", title: "\(output) from \(name) is upright at all four angles",
      passed: wrong.isEmpty && angles == 4 && proofs.count == rests, subjects: proofs.count,
      detail: wrong.isEmpty
        ? "\(proofs.count) pictures at \(angles) angles, in \(rests) rests" : seen.joined(separator: "; "),
      requirement: "ROT-2")
  }

  private func evidence(_ proofs: [RotationProof], in name: String) -> [Evidence] {
    let pictures = proofs.filter { $0.output == "preview" || !$0.isUpright }.compactMap { proof in
      proof.picture.map {
        Evidence.jpeg("\(name): \(proof.output), device held at \(proof.held)", Data($0))
          .of("rotation.\(name).\(proof.output)", failed: !proof.isUpright)
      }
    }
    let table = proofs.map { "\($0.output), held at \($0.held): \($0.candidates)" }.joined(separator: "\n")
    return pictures + [.text("\(name): how well each way up fitted the mark", table)]
  }
}

/// A played turn, with one picture from every output at each rest.
struct MatrixPlay {
  let subject: TurningSubject
  let rig: Rig

  static let outputs = ["preview", "analysis", "photo tagged", "photo baked"]

  func proofs() async throws -> [RotationProof] {
    let clock = VirtualClock()
    let manifest = subject.corpus.manifest
    let analysed = Latest<AnalysisPicture>()
    let surface = OffscreenSurface(size: PixelSize(width: 480, height: 480), clock: clock)
    let session = CaptureSession(source: subject.source, configuration: .unattended, clock: clock)
    let photos = rig.makePhotoOutput(clock: clock)
    let lastPreview = Latest<PresentedPicture>()
    await session.add(PreviewOutput(surface: surface, clock: clock) { lastPreview.value = $0 })
    await session.add(AnalysisOutput(clock: clock) { analysed.value = $0 })
    await session.add(photos)
    try await session.start()
    let probe = FiducialProbe(rect: subject.fiducial, stored: manifest.size)
    let began = clock.now()
    var proofs: [RotationProof] = []
    for rest in subject.rests {
      await clock.run(for: max(.zero, rest.time - (clock.now() - began)))
      try Task.checkCancellation()
      if let picture = lastPreview.value { proofs.append(try proof(of: picture, rest.held, probe)) }
      if let picture = analysed.value { proofs.append(proof(of: picture, rest.held, probe)) }
      for mode in [PhotoSettings.OrientationMode.tagged, .baked] {
        let photo = try await take(mode, from: photos, session, clock: clock)
        proofs.append(try proof(of: photo, mode, rest.held, probe: probe))
      }
    }
    await session.stop()
    return proofs
  }

  private func take(
    _ mode: PhotoSettings.OrientationMode, from output: PhotoOutput, _ session: CaptureSession,
    clock: VirtualClock
  ) async throws -> CapturedPhoto {
    let settings = PhotoSettings(orientationMode: mode)
    let shutter = VirtualShutter(
      session: session, output: output, clock: clock,
      interval: subject.corpus.manifest.frameInterval.duration)
    return try await shutter.photos([settings])[0]
  }

  private func proof(
    of picture: PresentedPicture, _ held: Rotation, _ probe: FiducialProbe
  ) throws -> RotationProof {
    RotationProof(
      output: "preview", held: held,
      reading: probe.reading(in: picture.image, orientation: picture.frame.orientation.preview),
      tag: .upright,
      picture: try Thumbnail.jpeg(of: picture.image))
  }

  private func proof(of picture: AnalysisPicture, _ held: Rotation, _ probe: FiducialProbe) -> RotationProof {
    RotationProof(
      output: "analysis", held: held,
      reading: probe.reading(in: picture.image, orientation: picture.frame.orientation.capture),
      tag: .upright,
      picture: try? Thumbnail.jpeg(of: picture.image))
  }

  private func proof(
    of photo: CapturedPhoto, _ mode: PhotoSettings.OrientationMode, _ held: Rotation, probe: FiducialProbe
  ) throws -> RotationProof {
    let file = try ImageFile.read(photo.photo.bytes)
    let pixels = try ImageConverter(pool: PixelBufferPool()).convert(file.image, to: .i420, color: .jpeg)
    // The stored pixels of a tagged photo were not turned; those of a baked photo were.
    let turned = mode == .baked ? photo.frame.orientation.capture : .upright
    return RotationProof(
      output: mode == .baked ? "photo baked" : "photo tagged", held: held,
      reading: probe.reading(in: pixels, orientation: turned), tag: file.orientation,
      picture: photo.photo.bytes)
  }
}
