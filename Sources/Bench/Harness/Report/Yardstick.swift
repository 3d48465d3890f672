import System

/// A fixed piece of integer work whose time says how fast the machine is just now.
enum Yardstick {
  /// Least milliseconds of 30 repetitions: the least is what the machine can do, and varies little.
  static func measure() -> Double {
    let clock = ContinuousClock()
    var sink: UInt64 = 1
    let times = (0..<30).map { _ in
      let elapsed = clock.measure { sink = work(from: sink) }
      return Double(elapsed.components.attoseconds) / 1e15 + Double(elapsed.components.seconds) * 1000
    }
    // `sink` is used, so that no optimiser drops the work.
    return sink == 0 ? 0 : times.min() ?? 0
  }

  private static func work(from start: UInt64) -> UInt64 {
    var random = SplitMix64(seed: start)
    var sum: UInt64 = 0
    for _ in 0..<(MachineProbe.build == "debug" ? 20_000 : 1_000_000) { sum ^= random.next() }
    return sum | 1
  }
}
