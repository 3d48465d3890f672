/// What other programs had of the processors while something was measured, as parts of all of them, 0...1.
struct Neighbours: Sendable, Hashable {
  /// Over the whole time; nil when that was shorter than the system counts, half a second.
  var share: Double?
  /// In the half second in which they had the most; nil as above.
  var peak: Double?

  /// A smaller share over the whole time means nothing: a quiet machine has as much.
  static let least = 0.1
  /// A share in half a second that explains one late figure, which is enough to fail a limit on the worst.
  static let burst = 0.25

  /// Whether they may be why a figure that is a matter of time was missed; nil when nobody can tell.
  var areBusy: Bool? {
    guard let share else { return nil }
    return share >= Self.least || (peak ?? 0) >= Self.burst
  }

  /// True unless they are known to be quiet.
  var mayExplain: Bool { areBusy ?? true }

  /// `32 % of the processors`, or `4 %, and 61 % for half a second`.
  var words: String {
    guard let share else { return "an unknown part of the processors" }
    guard share < Self.least, let peak else { return "\(Figure.percent(share)) of the processors" }
    return "\(Figure.percent(share)) of the processors, and \(Figure.percent(peak)) for half a second"
  }
}

/// Reads who has the processors, every half second while something runs.
struct ProcessorWatch: Sendable {
  let read: @Sendable () -> ProcessorLoad?
  let clock: any Clock<Duration>

  /// - Returns: what `body` gives, and what others had meanwhile; nil where the system does not tell.
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
