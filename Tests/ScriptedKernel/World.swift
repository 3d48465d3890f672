package import CVideo4Linux
import Glibc
package import System
import Video4Linux

/// Time and scheduled events around a `ScriptedKernel`, for tests that have their own clock.
extension ScriptedKernel {
  package struct World {
    /// The present time, in nanoseconds.
    var now: () -> Int64
    /// Blocks until a time (nil for no limit) or until the signal. Returns true for the signal.
    var wait: (_ until: Int64?, _ wake: WakeSignal?) -> Bool

    package init(now: @escaping () -> Int64, wait: @escaping (Int64?, WakeSignal?) -> Bool) {
      self.now = now
      self.wait = wait
    }
  }

  package func live(in world: World) { locked { self.world = world } }

  /// Schedules `act` for the first wait that reaches `time`, in nanoseconds.
  package func at(_ time: Int64, _ act: @escaping (ScriptedKernel) -> Void) {
    locked { agenda.append((time, act)) }
  }

  package func with<Value>(_ body: (inout ScriptedDevice) -> Value) -> Value { locked { body(&device) } }

  /// From now on, the driver fills a buffer every `period` nanoseconds, if it streams and holds one.
  package func fill(
    every period: Int64,
    _ describe: @escaping (inout v4l2_buffer, UnsafeMutablePointer<v4l2_plane>) -> Void = { _, _ in }
  ) {
    let next = now() + period
    at(next) { kernel in
      kernel.with { device in
        device.sequence += 1
        guard device.isStreaming, !device.queued.isEmpty, device.isAwake(at: next) else { return }
        let sequence = device.sequence
        device.complete { raw, planes in
          raw.sequence = sequence
          raw.flags = UInt32(V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC)
          raw.timestamp.tv_sec = Int(next / 1_000_000_000)
          raw.timestamp.tv_usec = Int(next % 1_000_000_000 / 1000)
          describe(&raw, planes)
        }
      }
      kernel.fill(every: period, describe)
    }
  }

  /// Makes all descriptors of the device fail, and removes its node.
  package func unplug() {
    locked {
      orphans = openDescriptors.subtracting(monitors)
      device.forgetBuffers()
      device.node = ""
    }
  }

  package func replug(as node: String) { locked { device.node = node } }

  /// Queues the event for a change of the video signal.
  package func changeSource() {
    var event = v4l2_event()
    event.type = UInt32(V4L2_EVENT_SOURCE_CHANGE)
    locked { device.events.append(event) }
  }

  func wait(
    _ descriptor: Int32, _ events: Int16, _ wake: WakeSignal?, _ timeout: Int64?, in world: World
  ) -> PollResult {
    let (sum, overflow) = world.now().addingReportingOverflow(timeout ?? .max)
    let deadline = overflow ? Int64.max : sum
    while true {
      happen(until: world.now())
      let ready = locked { readiness(of: descriptor) } & (events | Int16(POLLERR | POLLHUP))
      if ready != 0 { return PollResult(events: ready, wake: 0) }
      if world.now() >= deadline { return PollResult(events: 0, wake: 0) }
      let next = min(deadline, locked { agenda.map(\.time).min() } ?? .max)
      if world.wait(next == .max ? nil : next, wake) { return PollResult(events: 0, wake: Int16(POLLIN)) }
    }
  }

  private func happen(until now: Int64) {
    while true {
      let due = locked { () -> ((ScriptedKernel) -> Void)? in
        guard let first = agenda.indices.min(by: { agenda[$0].time < agenda[$1].time }),
          agenda[first].time <= now
        else { return nil }
        return agenda.remove(at: first).act
      }
      guard let due else { return }
      due(self)
    }
  }

  private func readiness(of descriptor: Int32) -> Int16 {
    if orphans.contains(descriptor) { return Int16(POLLERR | POLLHUP | POLLPRI) }
    if monitors.contains(descriptor) { return datagrams.isEmpty ? 0 : Int16(POLLIN) }
    var ready: Int32 = device.isBroken || !device.isStreaming ? POLLERR : 0
    if device.hasFilled { ready |= POLLIN }
    if !device.events.isEmpty { ready |= POLLPRI }
    return Int16(ready)
  }
}

extension ScriptedDevice {
  fileprivate mutating func isAwake(at time: Int64) -> Bool {
    let began = streamBegan ?? time
    streamBegan = began
    return time - began >= wakingTime
  }
}
