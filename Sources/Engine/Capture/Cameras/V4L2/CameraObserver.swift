import Imagery
import System
import Video4Linux

/// The life of the thread that watches for cameras; confined to it.
struct CameraObserver {
  let kernel: any Kernel
  let clock: any CaptureClock
  let wake: WakeSignal
  let board: CameraBoard

  /// What is known of a node that is there.
  private struct Node {
    let identity: DeviceIdentity?
    /// When it was first seen.
    let since: MonotonicTime
    /// Of the arrival that was told; nil while none was: it gives no pictures, or is not to be opened yet.
    var arrival: Int?
    var isSettled = false
  }

  private var nodes: [String: Node] = [:]

  /// Between two looks, however silent the kernel is.
  private static let interval = Duration.seconds(2)
  /// The same where the kernel tells nothing.
  private static let intervalWithoutEvents = Duration.milliseconds(500)
  /// Between two tries to open a node that udev has not given to anybody yet, and how long they go on.
  private static let settlingInterval = Duration.milliseconds(50)
  private static let settling = Duration.seconds(2)

  init(kernel: any Kernel, clock: any CaptureClock, wake: WakeSignal, board: CameraBoard) {
    self.kernel = kernel
    self.clock = clock
    self.wake = wake
    self.board = board
  }

  mutating func run(isEnding: () -> Bool) {
    let monitor = try? HotPlugMonitor(kernel: kernel)
    while !isEnding() {
      look()
      rest(monitor)
    }
  }

  /// Notes what has changed. Where the nodes cannot be listed, nothing has.
  private mutating func look() {
    guard let entries = try? DeviceDirectory(kernel: kernel).list() else { return }
    let present = Dictionary(entries.map { ($0.path, $0.identity) }) { first, _ in first }
    for (path, node) in nodes where present[path] != .some(node.identity) { forget(path) }
    for entry in entries { note(entry) }
  }

  private mutating func forget(_ path: String) {
    if let arrival = nodes.removeValue(forKey: path)?.arrival { board.remove(arrival) }
  }

  private mutating func note(_ entry: DeviceEntry) {
    let now = clock.now()
    var node = nodes[entry.path] ?? Node(identity: entry.identity, since: now)
    defer { nodes[entry.path] = node }
    guard !node.isSettled else { return }
    let camera = ConnectedCamera(entry, kernel)
    if let camera, camera.isUnsettled, now - node.since < Self.settling { return }
    node.isSettled = true
    node.arrival = camera.map { board.add($0) }
  }

  /// Waits for news, and forgets what they say has gone: the same camera may be back already.
  private mutating func rest(_ monitor: HotPlugMonitor?) {
    let isSettling = nodes.values.contains { !$0.isSettled }
    guard let monitor else {
      let pause = isSettling ? Self.settlingInterval : Self.intervalWithoutEvents
      _ = clock.wait(until: clock.now() + pause, wake: wake)
      return
    }
    let pause = isSettling ? Self.settlingInterval : Self.interval
    guard let ready = try? monitor.wait(wake: wake, timeout: pause) else {
      _ = clock.wait(until: clock.now() + pause, wake: wake)
      return
    }
    guard ready.contains(.event), let news = try? monitor.pending() else { return }
    for event in news.events where event.action == .remove { forget(event.path) }
  }
}

extension ConnectedCamera {
  /// It may be another moment before it may be opened, or it is going away.
  fileprivate var isUnsettled: Bool {
    guard case .failure(let error) = description else { return false }
    return [.permissionDenied, .notFound, .disconnected].contains(error.code)
  }
}
