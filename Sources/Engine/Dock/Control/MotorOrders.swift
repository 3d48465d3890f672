import Capture
import System

/// Hands orders to the camera, one after another; the newest takes the place of one that waits.
final class MotorOrders: Sendable {
  typealias Order = [(control: CameraControl, value: CameraControlValue)]

  private let clock: any CaptureClock
  private let waiting: AsyncStream<Order>.Continuation
  private let task: Task<Void, Never>

  /// - Parameter answered: is told why the camera refused an order, or nil where it took it.
  init(
    session: CaptureSession, clock: any CaptureClock,
    answered: @escaping @Sendable (_ refusal: String?) async -> Void
  ) {
    self.clock = clock
    let (orders, waiting) = AsyncStream.makeStream(of: Order.self, bufferingPolicy: .bufferingNewest(1))
    self.waiting = waiting
    task = Task { [weak session] in
      for await order in orders {
        if let results = await session?.set(order) {
          await answered(results.lazy.compactMap(\.refusal).first)
        }
        clock.workEnded()
      }
    }
  }

  /// Returns at once.
  func give(_ order: Order) {
    clock.workBegan()
    switch waiting.yield(order) {
    case .enqueued: break
    case .dropped, .terminated: clock.workEnded()
    @unknown default: clock.workEnded()
    }
  }

  /// Takes no more orders; what waits is done before this returns.
  func end() async {
    waiting.finish()
    await task.value
  }
}
