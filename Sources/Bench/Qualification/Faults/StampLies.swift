import CVideo4Linux
import System
import Video4Linux

/// `future-stamps`, `backward-stamps`, `stamps-without-clock`, `sequence-repeats`, `sequence-gaps`; and `interval-ignored`: every other frame is
/// dropped, and the sequence numbers hide it.
final class StampLie: DriverLie {
  private let fault: DeviceFault
  private let counts = Locked<[Int32: Int]>([:])

  init(_ fault: DeviceFault) { self.fault = fault }

  func twist(_ call: DriverCall) throws(Errno) {
    if call.request == .streamOn { counts.withLock { $0[call.descriptor] = 0 } }
    guard call.request == .dequeueBuffer else { return }
    let count = counts.withLock { counts in
      counts[call.descriptor, default: 0] += 1
      return counts[call.descriptor, default: 1]
    }
    try change(call, count)
  }

  private func change(_ call: DriverCall, _ count: Int) throws(Errno) {
    let raw = call.structure(v4l2_buffer.self)
    switch fault {
    case .intervalIgnored:
      if count % 2 == 0 { try call.discardBuffer() }
      raw.pointee.sequence /= 2
    case .futureStamps: call.moveStamp(by: 100_000_000)
    case .backwardStamps: if count % 4 == 0 { call.moveStamp(by: -call.client.interval * 3 / 2) }
    case .stampsWithoutClock: raw.pointee.flags &= ~UInt32(bitPattern: V4L2_BUF_FLAG_TIMESTAMP_MASK)
    case .sequenceRepeats: raw.pointee.sequence = 0
    case .sequenceGaps: raw.pointee.sequence &+= UInt32(count / 5 * 3)
    default: break
    }
  }

  func forget(_ descriptor: Int32) { counts.withLock { $0[descriptor] = nil } }
}
