import Capture
import Harness
import Imagery

import struct Foundation.Data

/// One loop: its own latency by a client that does nothing else, and that of the engine on it, by turns.
struct LoopTrial: Sendable {
  let loop: LabNode
  let rig: Rig
  let frames: Int

  /// What was seen of the engine.
  private struct Run {
    var latencies: [Double] = []
    var engine: [Double] = []
    var unreadable = 0
    var shown = 0
    var interval = Duration.zero
    var name = ""
    /// JPEG.
    var picture: Data?
    var tail: [Presentation] = []
  }

  func run() async throws -> Observation {
    var (own, ours) = ([Double](), Run())
    // The first of each warms the caches.
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

  /// Milliseconds from queueing a frame to dequeueing it, one a frame.
  /// - Parameter apart: the output is started so long before the camera.
  private func ownLatencies(frames: Int, apart: Duration) async throws -> [Double] {
    let arguments = [
      loop.output ?? "", loop.path, "\(frames)", "each", "\(Int(apart.milliseconds.rounded()))",
    ]
    let outcome = try await onOwnThread {
      try ChildProgram(executable: "lab-loop", arguments: arguments).run()
    }
    let samples = outcome.output.split(separator: "\n").compactMap { Double($0) }
    guard outcome.status == 0, !samples.isEmpty else {
      throw LaunchError("lab-loop", "it ended with status \(outcome.status)", nil)
    }
    // The first frames pass while the loop closes.
    return Array(samples.dropFirst(5))
  }

  private func through(_ run: inout Run, apart: Duration) async throws {
    let output = loop.output ?? ""
    let writer = try await onOwnThread { try LoopWriter(output: output) }
    var named = rig
    named.specification = "\(loop.path)?format=NV12"
    let play = await Play(
      source: try named.source(orBundled: ""), chart: TimeCodeChart(rect: writer.chart, period: nil),
      size: LoopLatency.surface, interval: .zero, rig: rig)
    try await play.session.prewarm()
    async let writing: Void = onOwnThread { writer.run() }
    do {
      try await start(play, apart, after: writer)
      _ = await play.untilPresented(frames + 10, within: .seconds(30))
      try await note(play, writer, &run)
    } catch {
      writer.end()
      await play.session.stop()
      throw error
    }
    writer.end()
    await play.session.stop()
    try await writing
    if let failure = writer.failure { throw LaunchError(output, failure, nil) }
  }

  private func start(_ play: Play, _ apart: Duration, after writer: LoopWriter) async throws {
    let deadline = MonotonicTime.now() + .seconds(5)
    while !writer.isRunning, writer.failure == nil, MonotonicTime.now() < deadline {
      try await Task.sleep(for: .milliseconds(1))
    }
    try await Task.sleep(for: apart)
    try await play.session.start()
  }

  private func note(_ play: Play, _ writer: LoopWriter, _ run: inout Run) async throws {
    let log = Array(play.log.all.dropFirst(10))
    let reading = LoopReading(log, written: writer.written)
    run.latencies += reading.latencies
    run.unreadable += reading.unreadable
    run.shown += log.count
    run.engine += log.map { ($0.presentedTime - $0.frame.arrivalTime).milliseconds }
    run.tail = log
    guard let format = await play.session.format else { return }
    run.interval = format.frameInterval.duration
    run.name = "\(format.image.size.height)p\(Int(format.frameInterval.framesPerSecond.rounded()))"
    if let image = (play.surface as? OffscreenSurface)?.image {
      run.picture = Data(try Thumbnail.jpeg(of: image))
    }
  }

  // MARK: What it says

  private func observation(_ own: [Double], _ ours: Run) -> Observation {
    let id = "latency.loop.\(ours.name)"
    func metric(_ name: String, _ title: String, _ samples: [Double], _ polarity: Polarity = .lowerIsBetter)
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
        metric("", "written to the driver → presented", ours.latencies),
        metric("own", "the loop's own, written → taken, by a minimal client", own),
        metric("allowed", "p99 of the loop's own and one frame interval", allowed, .exact),
        metric("engine", "taken from the driver → presented", ours.engine),
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
  /// Nearest rank; nil of none.
  fileprivate var p99: Double? { Summary(self)?.percentile(99) }
}
