import Capture
import Charts
import Harness
import Imagery
import Probes
import System

import struct Foundation.Data

/// The latency of a loop with a minimal client and with the engine, in turns.
struct LoopTrial: Sendable {
  let loop: LabNode
  let rig: Rig
  let frames: Int
  /// Number of pictures at the start that are not counted, because output and camera have just been started and the caches are cold.
  private static let unsteady = 10

  /// The measurements of the engine.
  private struct Run {
    var latencies: [Double] = []
    var engine: [Double] = []
    var unreadable = 0
    var shown = 0
    var interval = Duration.zero
    var name = ""
    /// The last picture shown, as a JPEG file.
    var picture: Data?
    var tail: [Presentation] = []
  }

  func run() async throws -> Observation {
    var (own, ours) = ([Double](), Run())
    // The first run warms the caches.
    _ = try await ownLatencies(frames: 30, apart: .zero)
    for round in 0..<LoopLatency.rounds {
      try Task.checkCancellation()
      let apart = interval * round / LoopLatency.rounds
      own += try await ownLatencies(frames: frames, apart: apart)
      try await through(&ours, apart: apart)
    }
    return observation(own, ours)
  }

  private var interval: Duration { .seconds(1) / (loop.signalRate ?? 30) }

  /// Returns the milliseconds from queueing to dequeueing, for each frame.
  /// - Parameter apart: the time from the start of the output to the start of the camera.
  private func ownLatencies(frames: Int, apart: Duration) async throws -> [Double] {
    let arguments = [
      loop.output ?? "", loop.path, "\(frames)", "each", "\(Int(apart.milliseconds.rounded()))",
    ]
    let outcome = try await onOwnThread {
      try ChildProgram(executable: "lab-loop", arguments: arguments).run()
    }
    let samples = outcome.output.split(separator: "\n").compactMap { Double($0) }
    guard outcome.status == 0, !samples.isEmpty else {
      throw LaunchError(
        "lab-loop", "it ended with status \(outcome.status)", remedy: "its own message, above, says why")
    }
    return Array(samples.dropFirst(Self.unsteady))
  }

  private func through(_ run: inout Run, apart: Duration) async throws {
    let output = loop.output ?? ""
    let writer = try await onOwnThread { try LoopWriter(output: output) }
    let source = try rig.source(at: "\(loop.path)?format=NV12")
    let session = CaptureSession(source: source, configuration: .unattended)
    let crops = CodeCrops(rect: writer.chart.quarter)
    let surface = rig.makeSurface(size: writer.size.quarter, interval: interval, clock: SystemClock())
    await session.add(PreviewOutput(surface: surface) { crops.note($0) })
    try await session.prewarm()
    async let writing: Void = onOwnThread { writer.run() }
    do {
      try await writer.feed(session, apart: apart) { crops.count >= frames + Self.unsteady }
    } catch {
      writer.end()
      await session.stop()
      throw error
    }
    writer.end()
    await session.stop()
    try await writing
    if let failure = writer.failure { throw LaunchError(output, failure, remedy: nil) }
    try note(crops.read(), surface, writer: writer, format: await session.format, run: &run)
  }

  private func note(
    _ shown: [Presentation], _ surface: any PreviewSurface, writer: LoopWriter, format: CameraFormat?,
    run: inout Run
  ) throws {
    let log = Array(shown.dropFirst(Self.unsteady))
    let reading = LoopReading(log, written: writer.written)
    run.latencies += reading.latencies
    run.unreadable += reading.unreadable
    run.shown += log.count
    run.engine += log.map { ($0.presentedTime - $0.frame.arrivalTime).milliseconds }
    run.tail = log
    guard let format else { return }
    run.interval = format.frameInterval.duration
    run.name = "\(format.image.size.height)p\(Int(format.frameInterval.framesPerSecond.rounded()))"
    if let image = (surface as? OffscreenSurface)?.image {
      run.picture = Data(try Thumbnail.jpeg(of: image))
    }
  }

  // MARK: The observation

  private func observation(_ own: [Double], _ ours: Run) -> Observation {
    let id = "latency.loop.\(ours.name)"
    func metric(_ name: String, _ title: String, samples: [Double], polarity: Polarity = .lowerIsBetter)
      -> Measurement
    {
      Measurement(
        id: name.isEmpty ? id : "\(id).\(name)", title: "\(ours.name): \(title)", unit: .milliseconds,
        polarity: polarity,
        level: .buffer, samples: samples)
    }
    let allowed = own.p99.map { [$0 + ours.interval.milliseconds] } ?? []
    return Observation(
      metrics: [
        metric("", "written to the driver → presented", samples: ours.latencies),
        metric("own", "the loop's own, written → taken, by a minimal client", samples: own),
        metric("allowed", "p99 of the loop's own and one frame interval", samples: allowed, polarity: .exact),
        metric("engine", "taken from the driver → presented", samples: ours.engine),
      ],
      checks: [
        Check(
          id: "\(id).readable", title: "\(ours.name): the number can be read off every picture shown",
          passed: ours.unreadable == 0, subjects: ours.shown,
          detail: "\(ours.unreadable) of \(ours.shown) could not be read", requirement: "LAT-1")
      ],
      evidence: [
        ours.picture.map { .jpeg("\(ours.name): the last picture shown, with its number", $0) },
        .timeline(
          "\(ours.name): the last pictures shown", Timeline(tail: ours.tail, interval: ours.interval)),
      ].compactMap { $0 })
  }
}

extension [Double] {
  /// The 99th percentile by nearest rank. Nil for no samples.
  fileprivate var p99: Double? { Summary(self)?.percentile(99) }
}

// The surface is a quarter of the frame's size, so that drawing, which is slow on an emulated processor, takes a small part of the measured time.
extension PixelSize {
  fileprivate var quarter: PixelSize { PixelSize(width: width / 4, height: height / 4) }
}

extension ChartRect {
  fileprivate var quarter: ChartRect { ChartRect(x: x / 4, y: y / 4, width: width / 4, height: height / 4) }
}
