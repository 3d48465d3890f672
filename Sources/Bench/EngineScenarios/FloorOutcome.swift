import Harness

/// A path of the engine and the least that does the same, measured by turns.
struct FloorOutcome: Sendable {
  /// Milliseconds of processor time, one a round.
  var floor: [Double] = []
  /// As `floor`, of the same rounds.
  var ours: [Double] = []

  /// Ours ÷ the floor's, round by round: what the machine does happens to both.
  var ratios: [Double] { zip(ours, floor).map { $0 / $1 } }

  /// The ratio, which limits and comparisons go by, and both times.
  /// - Parameters:
  ///   - id: what the ids of the metrics begin with.
  ///   - name: of what is worked on.
  ///   - mark: what stands before the name of the floor's own time.
  ///   - kind: of the ratio. By default no busy machine excuses it: beside two busy cores on two it is what it is alone.
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
  /// How far outside of it a figure lies; 0 for one within.
  func distance(to figure: Double) -> Double {
    Swift.max(lowerBound - figure, figure - upperBound, 0)
  }
}
