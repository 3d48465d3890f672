import Capture
import Corpora
import EngineScenarios
import Foundation
import Imagery
package import Probes
import Recording
import Replay
import System

/// Records in real time, and prints a line for each delivered frame.
package struct FilmingProcess: Sendable {
  private let corpus: String
  private let path: String
  private let fault: InjectedFault?

  package init(corpus: String, path: String, fault: InjectedFault?) {
    self.corpus = corpus
    self.path = path
    self.fault = fault
  }

  /// A line of the process's output.
  enum Line {
    /// A frame was delivered; its exposure time in nanoseconds.
    case came(Int64)
    case ended(FilmTrialOutcome.Ending)

    init?(_ text: Substring) {
      if text.hasPrefix("F "), let time = Int64(text.dropFirst(2)) {
        self = .came(time)
      } else if text.hasPrefix("E "),
        let ending = try? JSONDecoder().decode(
          FilmTrialOutcome.Ending.self, from: Data(text.dropFirst(2).utf8))
      {
        self = .ended(ending)
      } else {
        return nil
      }
    }
  }

  /// Prints a line for each frame before it is written, so that it is reported whatever happens to this process.
  private final class Witness: FrameOutput {
    let count = Locked(0)
    let isSilent: Bool

    init(isSilent: Bool) { self.isSilent = isSilent }

    func receive(_ frame: Frame) {
      count.withLock { $0 += 1 }
      guard !isSilent else { return }
      let line = Array("F \(frame.exposureTime.nanoseconds)\n".utf8)
      _ = line.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }
  }

  /// Records.
  /// - Parameters:
  ///   - seconds: the length of the recording; nil to record until the process ends.
  ///   - hasPreview: whether a preview of 1280×720 shows every frame meanwhile. Frames are not printed then.
  package func run(for seconds: Double?, hasPreview: Bool) async throws {
    var options = ReplayOptions()
    options.loops = true
    let source = ReplaySource(corpus: try Corpus(opening: corpus), options: options)
    let session = CaptureSession(source: source, configuration: .unattended)
    let witness = Witness(isSilent: hasPreview)
    let output = Rig(fault: fault, viewfinder: "").makeRecordingOutput(clock: SystemClock())
    let surface = OffscreenSurface(size: PixelSize(width: 1280, height: 720))
    let presented = Locked(0)
    let preview = PreviewOutput(surface: surface) { _ in presented.withLock { $0 += 1 } }
    await session.add(witness)
    await session.add(output)
    if hasPreview { await session.add(preview) }
    try output.start(to: path, interval: FilmStock.interval)
    try await session.start()
    let began = MonotonicTime.now()
    try await Task.sleep(for: .seconds(min(1, seconds ?? 1)))
    let before = ProcessMemory.resident
    await wait(for: output, until: began + .seconds(seconds ?? 1e6))
    let (after, elapsed) = (ProcessMemory.resident, MonotonicTime.now() - began)
    let (shown, delivered) = (presented.withLock { $0 }, witness.count.withLock { $0 })
    let recording = try await output.stop()
    await session.stop()
    var ending = FilmTrialOutcome.Ending(
      recording.end.rawValue, failure: recording.failure?.code.rawValue,
      written: recording.progress.written, dropped: recording.progress.dropped)
    ending.delivered = delivered
    ending.shown = shown
    ending.memoryBefore = before
    ending.memoryAfter = after
    ending.shownRate = Double(shown) / (elapsed.milliseconds / 1000)
    try say(ending)
  }

  private func wait(for output: RecordingOutput, until deadline: MonotonicTime) async {
    while MonotonicTime.now() < deadline, output.current != .idle {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  private func say(_ ending: FilmTrialOutcome.Ending) throws {
    let text = "E \(String(decoding: try JSONEncoder().encode(ending), as: UTF8.self))\n"
    _ = Array(text.utf8).withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
