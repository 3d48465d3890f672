package import Capture
import Imagery
import System

/// A source whose cameras hand everything on, while somebody watches what passes, or changes it.
package struct WatchedSource: CameraSource {
  /// One for each camera, used on its thread alone.
  package struct Watcher {
    let opened: () -> Void
    let closed: () -> Void
    let event: (CameraEvent) -> CameraEvent?

    /// - Parameters:
    ///   - opened: the camera was opened.
    ///   - closed: the camera was closed, whether or not it was open.
    ///   - event: what is handed on in place of an event; nil for nothing, and the next is awaited.
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
