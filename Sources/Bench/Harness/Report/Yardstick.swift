import System

/// A fixed piece of integer work whose duration shows how fast the machine is at the moment.
enum Yardstick {
  /// Returns the least of 30 times, in milliseconds: the least shows what the machine can do, and varies little.
  static func measure() -> Double {
    let clock = ContinuousClock()
    var sink: UInt64 = 1
    let times = (0..<30).map { _ in
      let elapsed = clock.measure { sink = work(from: sink) }
      return Double(elapsed.components.attoseconds) / 1e15 + Double(elapsed.components.seconds) * 1000
    }
    // `sink` is used, so that the optimiser does not remove the work.
    return sink == 0 ? 0 : times.min() ?? 0
  }

  private static func work(from start: UInt64) -> UInt64 {
    var random = SplitMix64(seed: start)
    var sum: UInt64 = 0
    for _ in 0..<(MachineProbe.build == "debug" ? 20_000 : 1_000_000) { sum ^= random.next() }
    return sum | 1
  }
}
