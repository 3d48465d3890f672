import Harness

/// Times of an engine path and of a minimal implementation of the same work, measured in turns.
struct FloorOutcome: Sendable {
  /// Milliseconds of processor time of the minimal implementation, one per round.
  var floor: [Double] = []
  /// Milliseconds of processor time of the engine, from the same rounds.
  var ours: [Double] = []

  /// The engine's time divided by the floor's, round by round. The load of the machine affects both.
  var ratios: [Double] { zip(ours, floor).map { $0 / $1 } }

  /// Returns the ratio, which limits and comparisons use, and both times.
  /// - Parameters:
  ///   - id: the prefix of the metrics' ids.
  ///   - name: the input of the work, for titles.
  ///   - mark: the prefix of the name of the floor's own time.
  ///   - kind: the kind of the ratio. By default, a busy machine does not excuse it: on a machine with two
  ///     processors, both of them busy, the ratio is the same as on an idle one.
  func metrics(
    _ id: String, of name: String, ours: String, floor: String, mark: String = "-c",
    kind: MetricKind = .observed
  ) -> [Measurement] {
    func measurement(
      _ part: String, _ title: String, unit: MeasurementUnit, samples: [Double],
      kind: MetricKind = .timed
    ) -> Measurement {
      Measurement(
        id: id + part, title: "\(name): \(title)", unit: unit, level: .synthetic, kind: kind, samples: samples
      )
    }
    return [
      measurement(".ratio", "processor time ÷ that of \(floor)", unit: .ratio, samples: ratios, kind: kind),
      measurement(".time", "processor time of \(ours)", unit: .milliseconds, samples: self.ours),
      measurement("\(mark).time", "processor time of \(floor)", unit: .milliseconds, samples: self.floor),
    ]
  }
}

extension ClosedRange<Double> {
  /// Returns how far a figure lies outside of the range; 0 if it is inside.
  func distance(to figure: Double) -> Double {
    Swift.max(lowerBound - figure, figure - upperBound, 0)
  }
}
