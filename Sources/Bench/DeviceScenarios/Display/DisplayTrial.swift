import Capture
import Display
import Imagery
import Probes
import System

import struct Foundation.Data

/// A trial of one loop and one display. Each round measures in turn: a client that does nothing but flip, the engine drawing on the
/// display, the engine showing the camera's own memory, and the engine drawing to memory.
struct DisplayTrial: Sendable {
  let loop: LabNode
  let rig: Rig
  let surface: DisplaySurface
  let frames: Int
  static let rounds = 4
  /// Number of pictures at the start that are not counted, because output and camera have just been started and the caches are cold.
  private static let unsteady = 10

  init(loop: LabNode, rig: Rig, screen: DisplayScreen, frames: Int) throws(DisplayError) {
    self.loop = loop
    self.rig = rig
    self.frames = frames
    surface = try DisplaySurface(screen)
  }

  private var size: PixelSize { surface.mode.size }
  private var interval: Duration { .seconds(1) / (loop.signalRate ?? 60) }

  func run() async throws -> DisplayLog {
    defer { surface.close() }
    var log = DisplayLog()
    log.mode = "\(surface.mode)"
    log.refreshInterval = surface.mode.refreshInterval
    for round in 0..<Self.rounds {
      try Task.checkCancellation()
      let apart = interval * round / Self.rounds
      log.own.add(try await onOwnThread { try flipAlone() })
      try await toDisplay(&log, apart: apart)
      try await undrawn(&log, apart: apart)
      try await toMemory(&log, apart: apart)
    }
    return log
  }

  /// Counts the vblanks that a program misses although it draws nothing. It requests flips at all phases
  /// between two vblanks, like a camera with its own clock: a request just before a vblank may be too late
  /// for it in the kernel.
  private func flipAlone() throws -> DisplayLog.Flips {
    let (clock, wake) = (SystemClock(), try WakeSignal())
    let flips = try (0..<frames + Self.unsteady).map { number in
      // Multiples of the golden ratio are evenly distributed, however many there are.
      let place =
        surface.mode.refreshInterval * (Double(number) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
      if let last = surface.lastFlip { _ = clock.wait(until: last.vblankTime + place, wake: wake) }
      guard let picture = surface.makeBuffer(), let flip = surface.show(picture) else {
        throw LaunchError(
          DisplayLoop.card, "it stopped showing pictures", remedy: "see the kernel's log with `dmesg`")
      }
      return flip
    }
    return DisplayLog.Flips(flips.dropFirst(Self.unsteady), surface.mode.refreshInterval)
  }

  private func toDisplay(_ log: inout DisplayLog, apart: Duration) async throws {
    let run = try await through(surface, .nv12, apart: apart) { rig.displayed($0) }
    log.note(run)
    log.add(run)
    if let image = run.image { log.picture = Data(try Thumbnail.jpeg(of: image)) }
  }

  /// Measures pictures that need not be drawn, because the camera delivers the display's format.
  private func undrawn(_ log: inout DisplayLog, apart: Duration) async throws {
    let run = try await through(surface, .bgra, apart: apart) { rig.displayed($0) }
    log.note(run)
    log.undrawn += run.engine
    log.drawn += run.shown.count { !$0.isUndrawn }
  }

  private func toMemory(_ log: inout DisplayLog, apart: Duration) async throws {
    let run = try await through(OffscreenSurface(size: size), .nv12, apart: apart) { $0 }
    log.inMemory += run.engine
  }

  /// Runs a session from the loop's camera to a surface.
  private func through(
    _ surface: any PreviewSurface, _ format: PixelFormat, apart: Duration,
    finish: (any PreviewSurface) -> any PreviewSurface
  ) async throws -> DisplayRun {
    let output = loop.output ?? ""
    let writer = try await onOwnThread { try LoopWriter(output: output, pixelFormat: format, isColumn: true) }
    let source = try rig.source(at: "\(loop.path)?format=\(format.rawValue)")
    let session = CaptureSession(source: source, configuration: .unattended)
    let rows = WatchedRows(surface, column: LoopWriter.column(writer.chart))
    let preview = PreviewOutput(surface: finish(rows))
    await session.add(preview)
    try await session.prewarm()
    async let writing: Void = onOwnThread { writer.run() }
    do {
      try await writer.feed(session, apart: apart) { rows.count >= frames + Self.unsteady }
    } catch {
      writer.end()
      await session.stop()
      throw error
    }
    let image = rows.current
    writer.end()
    await session.stop()
    rows.end()
    try await writing
    if let failure = writer.failure { throw LaunchError(output, failure, remedy: nil) }
    return DisplayRun(
      shown: Array(rows.shown.dropFirst(Self.unsteady)), written: writer.written, watched: rows.watched,
      changed: rows.changed, lost: preview.totals.replaced + preview.totals.failed,
      frameInterval: await session.format?.frameInterval.duration ?? interval,
      image: image)
  }
}

/// The pictures that one session showed.
struct DisplayRun: Sendable {
  /// The pictures after the first `DisplayTrial.unsteady` pictures.
  let shown: [WatchedRows.Shown]
  let written: [MonotonicTime]
  let (watched, changed): (Int, Int)
  /// Number of frames that a newer frame overtook, or for which no buffer was free.
  let lost: Int
  let frameInterval: Duration
  /// The last picture.
  let image: PixelBuffer?

  /// The pictures, each with the number at the second of the six places from the top.
  var presentations: [Presentation] {
    shown.map { shown in
      Presentation(
        frame: shown.frame, renderTime: shown.presentedTime, presentedTime: shown.presentedTime,
        code: shown.strip?.codes().dropFirst().first ?? nil, seen: .upright)
    }
  }

  /// Milliseconds from dequeueing to presentation.
  var engine: [Double] { shown.map { ($0.presentedTime - $0.frame.arrivalTime).milliseconds } }
}

extension DisplayLog.Flips {
  fileprivate init(_ flips: some Sequence<Flip>, _ refreshInterval: Duration) {
    var record = FlipRecord(refreshInterval: refreshInterval)
    for flip in flips { record.note(flip) }
    self.init(count: record.flips, missed: record.missed)
  }

  fileprivate mutating func add(_ other: DisplayLog.Flips) {
    count += other.count
    missed += other.missed
  }
}

extension DisplayLog {
  fileprivate mutating func note(_ run: DisplayRun) {
    let pictures = run.presentations
    unreadable += LoopReading(pictures, written: run.written).unreadable
    shown += pictures.count
    mixed += run.shown.count(where: { Set($0.strip?.codes() ?? []).count > 1 })
    watched += run.watched
    changed += run.changed
    note(run.shown.compactMap(\.flip))
    lost += run.lost
    beat += Self.beat(of: run, refreshInterval)
  }

  /// Adds a run whose pictures were drawn.
  fileprivate mutating func add(_ run: DisplayRun) {
    latencies += LoopReading(run.presentations, written: run.written).latencies
    engine += run.engine
    tail = run.presentations
    frameInterval = run.frameInterval
  }

  private mutating func note(_ flips: [Flip]) {
    ours.add(Flips(flips, refreshInterval))
    waits += flips.map { ($0.vblankTime - $0.requestTime).milliseconds }
    unordered += zip(flips, flips.dropFirst()).count(where: { earlier, later in
      later.vblankTime <= earlier.vblankTime || Int32(bitPattern: later.sequence &- earlier.sequence) <= 0
    })
  }

  /// Returns the number of frames that must be lost because the camera is faster than the display, plus one, because the phase between the
  /// two clocks at the start is arbitrary.
  private static func beat(of run: DisplayRun, _ refreshInterval: Duration) -> Int {
    guard let first = run.shown.first, let last = run.shown.last else { return 0 }
    let seconds = (last.presentedTime - first.presentedTime).milliseconds / 1000
    let faster = 1000 / run.frameInterval.milliseconds - 1000 / refreshInterval.milliseconds
    return 1 + Int((seconds * max(0, faster)).rounded(.up))
  }
}
