import Log
import System
public import Video4Linux

/// Cameras as they come and go, beginning with those that are there: the counterpart of `AVCaptureDevice.DiscoverySession`.
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
/// Each loop over it watches by itself, on a thread of its own, told by the kernel's device events; where those are not to be had, as in
/// some containers, `/dev` is looked at every half second. Nodes that give no pictures (metadata, codecs, outputs) are left out. To learn
/// what a new camera offers, it is opened for a moment.
///
/// The watch keeps no queue: it compares what is there with what its loop was told, so a loop that is slow misses nothing that still
/// holds, and is not told of a camera that came and left meanwhile. A camera that was unplugged and plugged in again has left and
/// arrived. The watch ends with its loop: when the task is cancelled, its thread and its descriptors are gone before the loop ends;
/// when the loop is left otherwise, soon.
public struct CameraDiscovery: AsyncSequence, Sendable {
  /// A camera came or went.
  public struct Change: Sendable {
    /// This enumeration is closed: no later version adds a case.
    public enum Kind: String, Hashable, Sendable {
      /// It is there, or was there when the watch began.
      case arrived
      /// It is gone: unplugged, or its driver was removed.
      case left
    }

    /// Whether it arrived or left.
    public let kind: Kind
    /// As it was when it arrived.
    public let camera: ConnectedCamera
  }

  /// A camera that came or went.
  public typealias Element = Change
  /// Why nothing can be watched.
  public typealias Failure = CameraError

  private let kernel: any Kernel
  private let clock: any CaptureClock

  /// Nothing is watched before the first element is asked for.
  /// - Parameters:
  ///   - kernel: the system's own, unless it is a test.
  ///   - clock: the same.
  public init(kernel: any Kernel = LinuxKernel(), clock: any CaptureClock = SystemClock()) {
    self.kernel = kernel
    self.clock = clock
  }

  /// A watch of its own, which begins with its first element.
  public func makeAsyncIterator() -> Iterator { Iterator(kernel: kernel, clock: clock) }

  /// One watch.
  public struct Iterator: AsyncIteratorProtocol {
    /// A camera that came or went.
    public typealias Element = Change
    /// Why nothing can be watched.
    public typealias Failure = CameraError

    private let kernel: any Kernel
    private let clock: any CaptureClock
    private var watch: CameraWatch?
    private var isOver = false

    fileprivate init(kernel: any Kernel, clock: any CaptureClock) {
      self.kernel = kernel
      self.clock = clock
    }

    /// The next change; nil when the task is cancelled.
    /// - Throws: at its first call, when `/dev` cannot be read, or the process has no thread or descriptor left.
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

/// A watch under way: what its thread sees, and what its loop was told. Whoever holds it keeps the thread running.
final class CameraWatch: Sendable {
  private let board = CameraBoard()
  private let wake: WakeSignal
  private let thread: Locked<NamedThread?>

  /// - Throws: when there is nothing to watch with, or nothing to watch.
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

  /// - Returns: nil when the task is cancelled.
  func next() async -> CameraDiscovery.Change? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { board.next($0) }
    } onCancel: {
      board.close()
    }
  }

  /// Returns when the thread has ended.
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

/// What is there, and what was told of it; bounded by what is there.
final class CameraBoard: Sendable {
  private struct State {
    /// By the number of their arrival.
    var present: [Int: ConnectedCamera] = [:]
    var told: [Int: ConnectedCamera] = [:]
    var arrivals = 0
    var waiting: CheckedContinuation<CameraDiscovery.Change?, Never>?
    var isClosed = false

    /// What is different from what was told: first what has left.
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

  /// - Returns: the number of its arrival.
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

  /// Gives the next change, when there is one. One asks at a time.
  func next(_ continuation: CheckedContinuation<CameraDiscovery.Change?, Never>) {
    state.withLock { $0.waiting = continuation }
    answer()
  }

  /// Nothing is told any more.
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
