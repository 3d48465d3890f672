import Imagery
import Locking
import Video4Linux

/// Where a camera is, by names that stay when its number changes, and how long to wait before trying it again.
struct V4L2Location {
  private let path: String
  private let kernel: any Kernel
  private let clock: any CaptureClock
  private var names: [StableName] = []
  /// Where it was just found, to be opened next.
  private var found: String?
  private var pause = Duration.zero
  private var refusedSince: MonotonicTime?
  /// A node is there a moment before its driver lets it be opened.
  private static let shortestPause = Duration.milliseconds(2)
  private static let longestPause = Duration.milliseconds(200)
  /// Between two looks at a device that another program has: what a recovery may take beyond the device's own time.
  private static let heldCheck = Duration.milliseconds(10)
  /// Until udev has set the permissions of a node that just appeared.
  private static let settling = Duration.seconds(2)

  init(path: String, kernel: any Kernel, clock: any CaptureClock) {
    self.path = path
    self.kernel = kernel
    self.clock = clock
  }

  /// The camera has worked since the last trouble: the next retry need not wait.
  mutating func noteSuccess() { (pause, refusedSince) = (.zero, nil) }

  /// The device was opened, or its refusal was told: the next refusal is another one.
  mutating func noteAnswer() { refusedSince = nil }

  /// Whether a refusal may pass by itself: so it is for a while after a node has appeared.
  mutating func isSettling() -> Bool {
    let since = refusedSince ?? clock.now()
    refusedSince = since
    return clock.now() - since <= V4L2Location.settling
  }

  /// Notes the camera's lasting names, while it is there.
  mutating func learn() {
    if names.isEmpty { names = DeviceDirectory(kernel: kernel).entry(at: path)?.stableNames ?? [] }
  }

  /// The node the camera has now: the path as given until its names are known; nil when no node has them.
  mutating func current() -> String? {
    if let found = found.take() { return found }
    guard !names.isEmpty else { return path }
    guard let entries = try? DeviceDirectory(kernel: kernel).list() else { return path }
    for name in names {
      if let entry = entries.first(where: { $0.stableNames.contains(name) }) { return entry.path }
    }
    return nil
  }

  /// Waits a little, and longer with every time in vain.
  /// - Returns: false when woken.
  mutating func waitBeforeRetry(wake: WakeSignal) -> Bool {
    let now = clock.now()
    defer { lengthenPause() }
    return pause == .zero || !clock.wait(until: now + pause, wake: wake)
  }

  /// Waits until no other program has the device. Nothing tells when it lets go, so the device is asked, cheaply.
  /// - Returns: false when woken.
  mutating func waitUntilFree(wake: WakeSignal) -> Bool {
    guard let path = current(), let device = try? VideoDevice(path: path, kernel: kernel),
      (try? device.isHeldByAnother()) == true
    else { return waitBeforeRetry(wake: wake) }
    repeat {
      if clock.wait(until: clock.now() + V4L2Location.heldCheck, wake: wake) { return false }
    } while (try? device.isHeldByAnother()) == true
    pause = .zero
    return true
  }

  /// Waits until the camera can be opened, told by the kernel's device events; looks now and then too, for where there
  /// are none and for permissions that come later.
  /// - Returns: false when woken.
  mutating func waitForDevice(wake: WakeSignal) -> Bool {
    let monitor = try? HotPlugMonitor(kernel: kernel)
    guard waitBeforeRetry(wake: wake) else { return false }
    while true {
      switch probe() {
      case .ready: return true
      case .absent: refusedSince = nil
      case .refused: if !isSettling() { return true }
      }
      guard rest(monitor, wake: wake) else { return false }
    }
  }

  private enum Presence { case ready, absent, refused }

  private mutating func probe() -> Presence {
    guard let path = current() else { return .absent }
    // A node with the camera's own name is opened in earnest at once: opening it to try takes as long.
    guard names.isEmpty else {
      found = path
      return .ready
    }
    do throws(VideoDeviceError) {
      try VideoDevice(path: path, kernel: kernel).close()
      return .ready
    } catch {
      switch error.reason {
      case .notFound, .disconnected: return .absent
      case .permissionDenied: return .refused
      // Opening it in earnest tells what is wrong.
      default: return .ready
      }
    }
  }

  private mutating func rest(_ monitor: HotPlugMonitor?, wake: WakeSignal) -> Bool {
    lengthenPause()
    guard let monitor, let news = try? monitor.wait(wake: wake, timeout: pause) else {
      return !clock.wait(until: clock.now() + pause, wake: wake)
    }
    if news.contains(.woken) {
      wake.drain()
      return false
    }
    if news.contains(.event), let heard = try? monitor.pending(), heard.concernsDevices { pause = .zero }
    return true
  }

  private mutating func lengthenPause() {
    pause = min(max(pause * 2, V4L2Location.shortestPause), V4L2Location.longestPause)
  }
}

extension HotPlugNews {
  fileprivate var concernsDevices: Bool { !events.isEmpty || isIncomplete }
}
