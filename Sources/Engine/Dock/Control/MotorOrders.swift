import Capture

/// Sends orders to the camera, one after another; a new order replaces one that waits.
final class MotorOrders: Sendable {
  typealias Order = [(control: CameraControl, value: CameraControlValue)]

  private let clock: any CaptureClock
  private let waiting: AsyncStream<Order>.Continuation
  private let task: Task<Void, Never>

  /// - Parameter answered: called with the reason if the camera refused an order, or with nil if the camera accepted it.
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

  /// Gives an order; returns at once.
  func give(_ order: Order) {
    clock.workBegan()
    switch waiting.yield(order) {
    case .enqueued: break
    case .dropped, .terminated: clock.workEnded()
    @unknown default: clock.workEnded()
    }
  }

  /// Accepts no more orders; returns after the waiting one is done.
  func end() async {
    waiting.finish()
    await task.value
  }
}
