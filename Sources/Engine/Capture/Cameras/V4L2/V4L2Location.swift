import Imagery
import System
import Video4Linux

/// Where a camera is when its number changes, and how long to wait before trying it again.
struct V4L2Location {
  private let path: String
  private let kernel: any Kernel
  private let clock: any CaptureClock
  private var tracker: DeviceTracker?
  /// The node it was opened by last.
  private var node: String
  /// What the driver said the camera is; its place only while that is known to be the same.
  private var face: (driver: String, card: String, bus: String?)?
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
    node = path
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

  /// Notes which camera it is, and which others are its equals, while it is there. As long as it is open nobody else is given
  /// its number.
  mutating func learn() {
    guard tracker == nil else {
      tracker?.noteTwins()
      return
    }
    tracker = DeviceTracker(node: node, name: path, directory: DeviceDirectory(kernel: kernel))
  }

  /// The node the camera has now, to be opened: what the path leads to until it is known which camera it is; nil when that
  /// one is nowhere, whatever else is there.
  mutating func current() -> String? {
    if let found = found.take() { return found }
    let before = tracker?.identity.port
    guard let current = tracker == nil ? target : tracker?.current() else { return nil }
    if tracker?.identity.port != before { face?.bus = nil }
    node = current
    return current
  }

  /// A link is followed once, so that what is learnt later is of the node that was opened.
  private var target: String {
    DeviceDirectory.isNode(path) ? path : (try? kernel.resolve(path)) ?? path
  }

  /// Whether what was opened is the camera it was before, by what the driver says: between the look and the opening, and before
  /// its name is learnt, another may have been given its number.
  func isSame(_ seen: DeviceCapabilities) -> Bool {
    guard let face else { return true }
    return seen.driver == face.driver && seen.card == face.card && face.bus.map { $0 == seen.bus } ?? true
  }

  /// The camera that was opened is the one to be found again.
  mutating func note(_ seen: DeviceCapabilities) { face = (seen.driver, seen.card, seen.bus) }

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
      isSame(device.capabilities), (try? device.isHeldByAnother()) == true
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
    // A node that is known to be the camera's is opened in earnest at once: opening it to try takes as long.
    guard tracker == nil else {
      found = path
      return .ready
    }
    do throws(VideoDeviceError) {
      let device = try VideoDevice(path: path, kernel: kernel)
      defer { device.close() }
      return isSame(device.capabilities) ? .ready : .absent
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
