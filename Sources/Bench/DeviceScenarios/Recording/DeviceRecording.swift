import Capture
import Glibc
import Harness
import Imagery
import Probes
import Recording
import System

/// REC-1 on real drivers: the file holds the delivered frames with the driver's times, and no other frames.
struct DeviceRecording: Scenario {
  let id = "device.recording"
  let suite = Suite.device
  let title = "Recording a real driver"
  let purpose =
    "Drivers lend few buffers and stamp as they please: a recorder that is right on replay may starve a "
    + "camera, or write wrong times."
  let exampleFailure =
    "A recorder that keeps 30 frames of a driver that has 8 buffers: the camera stands still whenever the disk is slow."
  let requirements: [RequirementID] = ["REC-1"]
  let rig: Rig

  /// Proves that a recorded frame that was never delivered, a wrong time, a wrong count and an empty file are noticed.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let came = (0..<10).map { Int64($0) * 33_000 }
    let wrong = [
      RecordedTimes(came: came, found: came + [400_000], written: 11, dropped: 0),
      RecordedTimes(came: came, found: [2] + came.dropFirst(), written: 10, dropped: 0),
      RecordedTimes(came: came, found: Array(came.dropLast()), written: 10, dropped: 0),
      RecordedTimes(came: came, found: [], written: 0, dropped: 0),
    ]
    let sound = RecordedTimes(came: came, found: Array(came.dropLast(3)), written: 7, dropped: 3)
    guard sound.isRight, wrong.allSatisfy({ !$0.isRight }) else {
      return .failed("a foreign frame, another time, a wrong count or an empty file was accepted")
    }
    return .passed("a foreign frame, another time, a wrong count and an empty file were seen")
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (lab, rig) = (try DeviceLab(), rig)
    let nodes = try await onOwnThread { try LabNode.list(lab, rig) }.filter { !$0.isDigital }
    guard !nodes.isEmpty else {
      throw Unsupported(
        "the lab has only cameras with a digital input; add another: `lab/run --camera uvc …`")
    }
    var observation = Observation(notes: ["The lab sets the pace; only the frames that came are judged."])
    for node in nodes {
      let times = try await record(node, "\(context.scratchDirectory)/\(node.name)-\(getpid()).mp4")
      observation.checks.append(Self.check(times, node.name))
    }
    return observation
  }

  static func check(_ times: RecordedTimes, _ name: String) -> Check {
    Check(
      id: "device.recording.\(name)", title: "\(name): the file holds the frames that came, at their times",
      passed: times.isRight, subjects: times.came.count,
      detail:
        "\(times.came.count) came, \(times.dropped) dropped, \(times.found.count) in the file, \(times.foreign) of them foreign",
      requirement: "REC-1")
  }

  /// A log of the exposure times of all delivered frames.
  private final class Witness: FrameOutput {
    let times = Locked<[MonotonicTime]>([])
    func receive(_ frame: Frame) { times.withLock { $0.append(frame.exposureTime) } }
  }

  private func record(_ node: LabNode, _ path: String) async throws -> RecordedTimes {
    defer { unlink(path) }
    let source = V4L2Source(path: node.path)
    let session = CaptureSession(source: source, configuration: .unattended)
    let (witness, output) = (Witness(), rig.makeRecordingOutput(clock: SystemClock()))
    await session.add(witness)
    await session.add(output)
    let settings = RecordingSettings(codec: .mjpeg, hasThumbnail: false)
    let recording = try await session.ending {
      try output.start(settings, to: path)
      try await session.start()
      try await Task.sleep(for: .seconds(3))
      await session.stop()
      return try await output.stop()
    }
    let came = witness.times.withLock { $0 }
    let found = try MovieFacts(path).frames.map { $0.time / 1_000 }
    return RecordedTimes(
      came: came.map { ($0 - (came.first ?? $0)).nanoseconds / 1_000 }, found: found,
      written: recording.progress.written, dropped: recording.progress.dropped + recording.progress.damaged)
  }
}

/// Exposure times of the delivered frames (`came`) and of the frames in the file (`found`), in microseconds since the first.
struct RecordedTimes {
  var came: [Int64]
  var found: [Int64]
  var written: Int
  var dropped: Int

  /// Number of frames in the file without a delivered frame at that time, within a microsecond of rounding.
  var foreign: Int {
    found.count { time in !came.contains { abs($0 - time) <= 1 } }
  }

  var isRight: Bool {
    !found.isEmpty && foreign == 0 && found.count == written && came.count == written + dropped
  }
}
