import System

extension CameraOperator {
  mutating func beginCountIn(
    _ order: ControlOrder, _ level: Double, camera: (any OperableCamera)?, now: MonotonicTime
  ) {
    guard camera != nil, let capability = state.capability(.torch), capability.isSettable else {
      return answer(order, set([ControlSetting(.torch, .number(level))], camera, now: now))
    }
    endCountIn()
    countIn = RunningCountIn(steps: TorchCountIn(level: level).steps, began: now, order: order)
    advanceCountIn(camera, now)
  }

  mutating func advanceCountIn(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    guard var running = countIn, let camera else { return }
    var took: CameraControlResult?
    while running.next < running.steps.count, now >= running.began + running.steps[running.next].time {
      took = light(running.steps[running.next].level, camera)
      running.next += 1
    }
    guard running.next == running.steps.count else {
      countIn = running
      return
    }
    countIn = nil
    answer(running.order, took.map { [$0] } ?? [])
  }

  private mutating func light(_ level: Double, _ camera: any OperableCamera) -> CameraControlResult {
    let wanted = CameraControlValue.number(level)
    let result =
      camera.set([(.torch, wanted)]).first ?? CameraControlResult(.torch, wanted: wanted, took: nil)
    state.torch = result.took?.number ?? (result.refusal == nil ? level : state.torch)
    state.values[.torch] = .number(state.torch)
    return result
  }

  /// Turns the torch off before the device is closed.
  mutating func douse(_ camera: (any OperableCamera)?, _ now: MonotonicTime) {
    if let camera { _ = light(0, camera) }
    // A device that is gone has no light on.
    (state.torch, state.values[.torch]) = (0, .number(0))
  }

  mutating func endCountIn() {
    guard let running = countIn else { return }
    countIn = nil
    let level = running.steps.last?.level ?? 0
    answer(
      running.order,
      [CameraControlResult(.torch, wanted: .number(level), took: .number(state.torch), note: .superseded)])
  }
}
