/// The processor use of other programs during a measurement, as shares of all processors, 0...1.
struct Neighbours: Sendable, Hashable {
  /// The share over the whole measurement. Nil if the measurement was shorter than half a second: too short for the system's counters.
  var share: Double?
  /// The highest share in half a second. Nil if the whole time was shorter than half a second.
  var peak: Double?

  /// The least share over the whole time that matters: other programs have a smaller share even on a quiet machine.
  static let least = 0.1
  /// The share in half a second that can explain one late sample. One late sample is enough to fail a limit on the worst sample.
  static let burst = 0.25

  /// Whether other programs may be the reason why a time limit was missed. Nil if unknown.
  var areBusy: Bool? {
    guard let share else { return nil }
    return share >= Self.least || (peak ?? 0) >= Self.burst
  }

  /// Whether other programs may be the reason; true also if unknown.
  var mayExplain: Bool { areBusy ?? true }

  /// The shares in words: `32 % of the processors`, or `4 % of the processors, and 61 % for half a second`.
  var words: String {
    guard let share else { return "an unknown part of the processors" }
    guard share < Self.least, let peak else { return "\(Figure.percent(share)) of the processors" }
    return "\(Figure.percent(share)) of the processors, and \(Figure.percent(peak)) for half a second"
  }
}

/// A watch that reads the processor load every half second while something runs.
struct ProcessorWatch: Sendable {
  let read: @Sendable () -> ProcessorLoad?
  let clock: any Clock<Duration>

  /// - Returns: the result of `body`, and the processor use of other programs meanwhile; nil if the system does not report it.
  func during<Value: Sendable>(_ body: () async -> Value) async -> (value: Value, neighbours: Neighbours?) {
    guard let start = read() else { return (await body(), nil) }
    let sampler = Task { [read, clock] in
      var readings: [ProcessorLoad] = []
      while !Task.isCancelled, (try? await clock.sleep(for: ProcessorLoad.least)) != nil {
        if let reading = read() { readings.append(reading) }
      }
      return readings
    }
    let value = await body()
    sampler.cancel()
    guard let end = read() else { return (value, nil) }
    let readings = [start] + (await sampler.value) + [end]
    let peaks = zip(readings, readings.dropFirst()).compactMap { $1.others(since: $0) }
    let share = end.others(since: start).map { ($0 * 1000).rounded() / 1000 }
    return (value, Neighbours(share: share, peak: peaks.max().map { ($0 * 1000).rounded() / 1000 }))
  }
}
