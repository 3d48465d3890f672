import Capture
import Corpora
import Replay

// The documentation's examples, compiled but not run. `DocumentationTests` compares them with the documentation.

private func exampleReplayCamera1() async throws {
  let corpus = try Corpus.find("shelf-pan", searching: CorpusRoots.standard())
  var options = ReplayOptions()
  options.loops = true
  let session = CaptureSession(source: ReplaySource(corpus: corpus, options: options))
  _ = session
}

private func exampleSimulatedCamera1() async throws {
  let scene = SimulatedScene()
  let session = CaptureSession(source: SimulatedSource(scene: scene))
  scene.attitude = 90
  _ = session
}

private func exampleSensorSource1() async throws {
  let scene = SensorScene(lightValue: 7)
  let session = CaptureSession(source: SensorSource(scene: scene))
  try await session.start()
  _ = await session.set([(.exposureDuration, .number(0.01)), (.iso, .number(400))])
}

private func exampleSourceSpecification1() async throws {
  let source = try SourceSpecification("/dev/video0?size=1280x720")
    .makeSource(corpusRoots: CorpusRoots.standard())
  _ = source
}

private func exampleReplay1() async throws {
  let source = try SourceSpecification("corpus:shelf-pan").makeSource(corpusRoots: CorpusRoots.standard())
  let session = CaptureSession(source: source)
  _ = session
}
