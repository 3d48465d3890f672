import Capture
import Glibc
import Imagery
import Probes
import Recording
import Replay

extension CountedPath {
  /// Sessions in virtual time, on a camera that draws its own pictures.
  static let engine: [CountedPath] = [
    CountedPath(
      id: "capture.frame", title: "A frame through a session", unit: "frame", group: .engine, hasThreads: true
    ) {
      rig, counter in
      let clock = VirtualClock()
      let play = await Play(
        source: rig.broken(small), chart: nil, size: small.size, interval: small.frameInterval.duration,
        rig: rig,
        clock: clock)
      try await play.session.start()
      await clock.run(for: .seconds(1))
      await counter.count(frames) { await clock.run(for: .seconds(1)) }
      await play.stop()
    },
    CountedPath(
      id: "session.start", title: "A session's start, first picture and end", unit: "session", group: .engine,
      hasThreads: true
    ) { rig, counter in
      let clock = VirtualClock()
      try await counter.count(sessions) {
        for _ in 0..<sessions {
          let play = await Play(
            source: rig.broken(small), chart: nil, size: small.size, interval: .zero, rig: rig, clock: clock)
          try await play.session.start()
          await clock.run(for: .milliseconds(40))
          await play.stop()
        }
      }
    },
    CountedPath(
      id: "session.background", title: "Into the background and back", unit: "round", group: .engine,
      hasThreads: true
    ) { rig, counter in
      let clock = VirtualClock()
      let play = await Play(
        source: rig.broken(small), chart: nil, size: small.size, interval: .zero, rig: rig, clock: clock)
      try await play.session.start()
      await clock.run(for: .milliseconds(100))
      try await counter.count(sessions) {
        for _ in 0..<sessions {
          await play.session.background()
          await clock.run(for: .milliseconds(100))
          try await play.session.foreground()
          await clock.run(for: .milliseconds(100))
        }
      }
      await play.stop()
    },
    CountedPath(id: "recording.frame", title: "A frame into a video", unit: "frame", group: .engine) {
      rig, counter in
      let clock = VirtualClock()
      let session = CaptureSession(source: rig.broken(source), configuration: .unattended, clock: clock)
      let output = rig.makeRecordingOutput(clock: clock)
      await session.add(output)
      let path = "/dev/shm/swiftwing-counted-\(getpid()).mp4"
      defer { unlink(path) }
      try await session.start()
      await clock.run(for: .seconds(1))
      // Counts a whole video from start to end, because between two frames the encoder's threads are still busy with earlier frames. The end takes no
      // virtual time: `clock.run` would advance in steps, whose number depends on how long the encoder takes.
      try await counter.count(frames) {
        unlink(path)
        try output.start(RecordingSettings(hasThumbnail: false), to: path, interval: source.frameInterval)
        await clock.run(for: .seconds(1))
        _ = try await output.stop()
      }
      await session.stop()
    },
  ]

  private static let size = PixelSize(width: 640, height: 480)
  private static let frames = 30
  /// The number of counted sessions. Each starts and ends threads, whose instructions vary slightly.
  private static let sessions = 12
  /// A camera with pictures so small that the session's work is counted rather than the drawing.
  private static var small: SimulatedSource {
    SimulatedSource(
      size: PixelSize(width: 64, height: 48), frameInterval: FrameInterval(framesPerSecond: frames))
  }
  private static var source: SimulatedSource {
    SimulatedSource(size: size, frameInterval: FrameInterval(framesPerSecond: frames))
  }
}
