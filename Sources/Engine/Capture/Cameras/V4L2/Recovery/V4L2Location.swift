import System
import Video4Linux

/// Finds a camera again when its device number changes, and decides how long to wait before the next try.
struct V4L2Location {
  private let path: String
  private let kernel: any Kernel
  private let clock: any CaptureClock
  private var tracker: DeviceTracker?
  /// The node that was last opened.
  private var node: String
  /// The identity that the driver reported. `bus` is nil once the camera has come back at another port.
  private var face: (driver: String, card: String, bus: String?)?
  /// The node at which the camera was just found, to be opened next.
  private var found: String?
  private var pause = Duration.zero
  private var refusedSince: MonotonicTime?
  /// The first pause between tries. It is short, because a node appears only a moment before its driver lets it be opened.
  private static let shortestPause = Duration.milliseconds(2)
  private static let longestPause = Duration.milliseconds(200)
  /// The time between two checks of a device that another program uses. A recovery takes at most this much longer than the device itself.
  private static let heldCheck = Duration.milliseconds(10)
  /// The time within which udev sets the permissions of a node that just appeared.
  private static let settling = Duration.seconds(2)

  init(path: String, kernel: any Kernel, clock: any CaptureClock) {
    self.path = path
    self.kernel = kernel
    self.clock = clock
    node = path
  }

  /// Notes that the camera has worked since the last failure: the next retry need not wait.
  mutating func noteSuccess() { (pause, refusedSince) = (.zero, nil) }

  /// Notes that the device was opened, or that its refusal was reported. A later refusal again gets the whole time to pass.
  mutating func noteAnswer() { refusedSince = nil }

  /// Whether a refusal may pass by itself, because the node appeared only a while ago.
  mutating func isSettling() -> Bool {
    let since = refusedSince ?? clock.now()
    refusedSince = since
    return clock.now() - since <= V4L2Location.settling
  }

  /// Notes the identity of the camera, and whether another camera has the same model and serial number. Call this method
  /// while the camera is open, because no other camera can then have its device number.
  mutating func learn() {
    guard tracker == nil else {
      tracker?.noteTwins()
      return
    }
    tracker = DeviceTracker(node: node, name: path, directory: DeviceDirectory(kernel: kernel))
  }

  /// The node to open. Until the camera's identity is known, it is the target of the
  /// path. Nil if the camera is not found, even if other cameras are connected.
  mutating func current() -> String? {
    if let found = found.take() { return found }
    let before = tracker?.identity.port
    guard let current = tracker == nil ? target : tracker?.current() else { return nil }
    if tracker?.identity.port != before { face?.bus = nil }
    node = current
    return current
  }

  /// The node that the path leads to. A link is resolved before the opening, so that the identity is read from the node that was opened.
  private var target: String {
    DeviceDirectory.isNode(path) ? path : (try? kernel.resolve(path)) ?? path
  }

  /// Whether the opened device reports the same identity as before. Another camera may have got the
  /// device number: between finding the node and opening it, or before the identity was read.
  func isSame(_ seen: DeviceCapabilities) -> Bool {
    guard let face else { return true }
    return seen.driver == face.driver && seen.card == face.card && face.bus.map { $0 == seen.bus } ?? true
  }

  /// Notes the identity of the opened camera, by which it is found again.
  mutating func note(_ seen: DeviceCapabilities) { face = (seen.driver, seen.card, seen.bus) }

  /// Waits before another attempt to open the device: longer after each failure, not at all after a success.
  /// - Returns: false if woken.
  mutating func waitBeforeRetry(wake: WakeSignal) -> Bool {
    let now = clock.now()
    defer { lengthenPause() }
    return pause == .zero || !clock.wait(until: now + pause, wake: wake)
  }

  /// Waits until no other program uses the device. No event reports that, so the device is asked repeatedly, at little cost.
  /// - Returns: false if woken.
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

  /// Waits until the camera can be opened. Listens to the kernel's device events, and also looks from time to time, in case there are no
  /// events, or permissions are set later.
  /// - Returns: false if woken.
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
    // A node that is known to be the camera's is reported as ready at once: a trial opening takes as long as the real opening.
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
      // The real opening reports the error.
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
