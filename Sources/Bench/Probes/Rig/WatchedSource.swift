package import Capture
import Imagery
import System

/// A source whose cameras pass everything on, while a watcher observes or changes the events.
package struct WatchedSource: CameraSource {
  /// A watcher of one camera, used on the camera's thread only.
  package struct Watcher {
    let opened: () -> Void
    let closed: () -> Void
    let event: (CameraEvent) -> CameraEvent?

    /// - Parameters:
    ///   - opened: called after the camera was opened.
    ///   - closed: called after the camera was closed, whether or not it had been open.
    ///   - event: returns the event to pass on in place of another; nil to drop it and wait for the next.
    package init(
      opened: @escaping () -> Void = {}, closed: @escaping () -> Void = {},
      event: @escaping (CameraEvent) -> CameraEvent? = { $0 }
    ) {
      self.opened = opened
      self.closed = closed
      self.event = event
    }
  }

  private let base: any CameraSource
  private let makeWatcher: @Sendable () -> Watcher

  package init(_ base: any CameraSource, watcher: @escaping @Sendable () -> Watcher) {
    self.base = base
    makeWatcher = watcher
  }

  package var specification: String { base.specification }

  package func makeCamera(clock: any CaptureClock) throws(CameraError) -> any Camera {
    WatchedCamera(base: try base.makeCamera(clock: clock), watcher: makeWatcher())
  }
}

private final class WatchedCamera: Camera {
  private let base: any Camera
  private let watcher: WatchedSource.Watcher

  init(base: any Camera, watcher: WatchedSource.Watcher) {
    self.base = base
    self.watcher = watcher
  }

  func open() throws(CameraError) -> CameraDescription {
    let description = try base.open()
    watcher.opened()
    return description
  }

  func close() {
    base.close()
    watcher.closed()
  }

  func next(until deadline: MonotonicTime, wake: WakeSignal) throws(CameraError) -> CameraEvent {
    while true {
      if let event = watcher.event(try base.next(until: deadline, wake: wake)) { return event }
    }
  }

  func prepare(_ format: CameraFormat) throws(CameraError) -> CameraFormat { try base.prepare(format) }
  func start() throws(CameraError) { try base.start() }
  func stop() { base.stop() }
  func awaitReturn(after reason: InterruptionReason, wake: WakeSignal) -> Bool {
    base.awaitReturn(after: reason, wake: wake)
  }
}
