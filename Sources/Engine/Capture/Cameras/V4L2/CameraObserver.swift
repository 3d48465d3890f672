import System
import Video4Linux

/// The work of the thread that watches for cameras. Confined to that thread.
struct CameraObserver {
  let kernel: any Kernel
  let clock: any CaptureClock
  let wake: WakeSignal
  let board: CameraBoard

  /// The state of a present node.
  private struct Node {
    let identity: DeviceIdentity?
    /// The time at which the node was first seen.
    let since: MonotonicTime
    /// The number of the reported arrival; nil if no arrival was reported, because the node delivers no pictures or cannot be opened yet.
    var arrival: Int?
    var isSettled = false
  }

  private var nodes: [String: Node] = [:]

  /// The longest time between two looks at the nodes while the kernel reports events.
  private static let interval = Duration.seconds(2)
  /// The time between two looks if the kernel's events are not available.
  private static let intervalWithoutEvents = Duration.milliseconds(500)
  /// The time between two attempts to open a node whose permissions udev has not set yet.
  private static let settlingInterval = Duration.milliseconds(50)
  /// The time after the first sight of a node at which the attempts to open it end.
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

  /// Compares the nodes with the last look and notes the changes. If the nodes cannot be listed, it changes nothing.
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

  /// Waits for kernel events. Forgets the nodes that they report as removed, because the same camera may already be connected again.
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
  /// Whether the camera's state may still change: its permissions are not set yet, or it is going away.
  fileprivate var isUnsettled: Bool {
    guard case .failure(let error) = description else { return false }
    return [.permissionDenied, .notFound, .disconnected].contains(error.code)
  }
}
