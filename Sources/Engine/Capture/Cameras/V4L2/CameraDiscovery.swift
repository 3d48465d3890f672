import Log
import System
public import Video4Linux

/// The cameras of this machine as they come and go, beginning with the cameras that are already connected. The counterpart of
/// `AVCaptureDevice.DiscoverySession`.
///
/// ```swift
/// for try await change in CameraDiscovery() {
///   switch change.kind {
///   case .arrived: print("\(change.camera.name) is at \(change.camera.path)")
///   case .left: print("\(change.camera.name) has left")
///   }
/// }
/// ```
///
/// Each loop over the sequence has its own thread, which listens to the kernel's device events. If these are not available, as in some
/// containers, the thread looks at `/dev` every half second. Nodes that deliver no pictures (metadata, codecs, outputs) are left out. A new camera
/// is opened for a moment, to read its offer.
///
/// There is no queue of changes. Each step compares the present cameras with those that the loop already knows. So a slow loop misses
/// no change that still holds, and never sees a camera that came and left between two steps. A camera that was unplugged and plugged
/// in again yields `left` and `arrived`. The watch ends with its loop. If the task is cancelled, the watch's thread and descriptors
/// are released before the loop ends. If the loop is left in another way, they are released soon after.
public struct CameraDiscovery: AsyncSequence, Sendable {
  /// The arrival or departure of a camera.
  public struct Change: Sendable {
    /// This enumeration is closed: no later version adds a case.
    public enum Kind: String, Hashable, Sendable {
      /// The camera was connected, or was already connected when the watch began.
      case arrived
      /// The camera is gone: unplugged, or its driver was removed.
      case left
    }

    /// The kind of change: arrived or left.
    public let kind: Kind
    /// The camera as it was when it arrived.
    public let camera: ConnectedCamera
  }

  /// A camera that came or went.
  public typealias Element = Change
  /// The error if watching is impossible.
  public typealias Failure = CameraError

  private let kernel: any Kernel
  private let clock: any CaptureClock

  /// Creates a sequence that starts no watch before its first element is requested.
  /// - Parameters:
  ///   - kernel: the real kernel, except in tests.
  ///   - clock: the real clock, except in tests.
  public init(kernel: any Kernel = LinuxKernel(), clock: any CaptureClock = SystemClock()) {
    self.kernel = kernel
    self.clock = clock
  }

  /// Makes an iterator with its own watch, which starts when the first element is requested.
  public func makeAsyncIterator() -> Iterator { Iterator(kernel: kernel, clock: clock) }

  /// One watch over the cameras.
  public struct Iterator: AsyncIteratorProtocol {
    /// A camera that came or went.
    public typealias Element = Change
    /// The error if watching is impossible.
    public typealias Failure = CameraError

    private let kernel: any Kernel
    private let clock: any CaptureClock
    private var watch: CameraWatch?
    private var isOver = false

    fileprivate init(kernel: any Kernel, clock: any CaptureClock) {
      self.kernel = kernel
      self.clock = clock
    }

    /// The next change; nil if the task is cancelled.
    /// - Throws: at its first call only: if `/dev` cannot be read, or if the process has no thread or descriptor left.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws(CameraError) -> Change? {
      guard !isOver else { return nil }
      if watch == nil {
        do throws(CameraError) { watch = try CameraWatch(kernel: kernel, clock: clock) } catch {
          isOver = true
          throw error
        }
      }
      if let change = await watch?.next() { return change }
      isOver = true
      await watch?.end()
      watch = nil
      return nil
    }
  }
}

/// A running watch: the cameras that its thread sees, and those that its loop knows. Its thread runs as long as an instance is held.
final class CameraWatch: Sendable {
  private let board = CameraBoard()
  private let wake: WakeSignal
  private let thread: Locked<NamedThread?>

  /// - Throws: if the process lacks threads or descriptors, or if `/dev` cannot be read.
  init(kernel: any Kernel, clock: any CaptureClock) throws(CameraError) {
    do throws(VideoDeviceError) { _ = try DeviceDirectory(kernel: kernel).list() } catch {
      throw CameraError(error, source: "/dev", wasOpen: false)
    }
    do throws(ResourceShortage) {
      let wake = try WakeSignal()
      self.wake = wake
      clock.threadBegan()
      let (board, isEnding) = (board, board.isEnding)
      do throws(ResourceShortage) {
        thread = Locked(
          try NamedThread(name: "discovery") {
            var observer = CameraObserver(kernel: kernel, clock: clock, wake: wake, board: board)
            observer.run { isEnding.withLock { $0 } }
            clock.threadEnded()
          })
      } catch {
        clock.threadEnded()
        throw error
      }
    } catch {
      throw CameraError(error, source: "the watch for cameras")
    }
  }

  deinit {
    guard let running = stop() else { return }
    NamedThread.detached(name: "discovery-end") { running.join() }
  }

  /// - Returns: nil if the task is cancelled.
  func next() async -> CameraDiscovery.Change? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { board.next($0) }
    } onCancel: {
      board.close()
    }
  }

  /// Stops the thread and returns when it has ended.
  func end() async {
    guard let running = stop() else { return }
    await NamedThread.aside(name: "discovery-end") { running.join() }
  }

  private func stop() -> NamedThread? {
    board.isEnding.withLock { $0 = true }
    wake.signal()
    return thread.withLock { $0.take() }
  }
}

/// The present cameras, and those that the loop knows. Its size is bounded by the number of present cameras.
final class CameraBoard: Sendable {
  private struct State {
    /// Present cameras, each with its arrival number as the key.
    var present: [Int: ConnectedCamera] = [:]
    var told: [Int: ConnectedCamera] = [:]
    var arrivals = 0
    var waiting: CheckedContinuation<CameraDiscovery.Change?, Never>?
    var isClosed = false

    /// Removes the next difference between the present and the known cameras, and returns it. Departures come first.
    mutating func change() -> CameraDiscovery.Change? {
      if let gone = told.keys.filter({ present[$0] == nil }).min(),
        let camera = told.removeValue(forKey: gone)
      {
        return CameraDiscovery.Change(kind: .left, camera: camera)
      }
      guard let new = present.keys.filter({ told[$0] == nil }).min(), let camera = present[new] else {
        return nil
      }
      told[new] = camera
      return CameraDiscovery.Change(kind: .arrived, camera: camera)
    }
  }

  let isEnding = Locked(false)
  private let state = Locked(State())

  /// - Returns: the number of the camera's arrival.
  func add(_ camera: ConnectedCamera) -> Int {
    Log.v4l2.info("\(camera.path) arrived: \(camera.name)")
    let number = state.withLock { state in
      state.arrivals += 1
      state.present[state.arrivals] = camera
      return state.arrivals
    }
    answer()
    return number
  }

  func remove(_ number: Int) {
    let camera = state.withLock { state in state.present.removeValue(forKey: number) }
    if let camera { Log.v4l2.info("\(camera.path) left: \(camera.name)") }
    answer()
  }

  /// Passes the next change to `continuation` as soon as there is one. Only one call may wait at a time.
  func next(_ continuation: CheckedContinuation<CameraDiscovery.Change?, Never>) {
    state.withLock { $0.waiting = continuation }
    answer()
  }

  /// Ends the watch: no more changes are reported.
  func close() {
    state.withLock { $0.isClosed = true }
    answer()
  }

  private func answer() {
    let (asking, change) = state.withLock {
      state -> (CheckedContinuation<CameraDiscovery.Change?, Never>?, CameraDiscovery.Change?) in
      guard state.waiting != nil else { return (nil, nil) }
      if state.isClosed { return (state.waiting.take(), nil) }
      guard let change = state.change() else { return (nil, nil) }
      return (state.waiting.take(), change)
    }
    asking?.resume(returning: change)
  }
}
