/// Unit of a measured figure.
public enum MeasurementUnit: String, Sendable, Codable, CaseIterable {
  /// Milliseconds.
  case milliseconds = "ms"
  /// A number of things.
  case count
  /// Frames per second.
  case framesPerSecond = "fps"
  /// Size of a file or of memory, in bytes.
  case bytes
  /// Vision model tokens, the price of a picture.
  case tokens
  /// Length along a side of a picture, in pixels.
  case pixels = "px"
  /// Angle, in degrees.
  case degrees = "°"
  /// Steps of an 8-bit code, 0...255.
  case levels
  /// A ratio in decibels, such as signal to noise.
  case decibels = "dB"
  /// A plain ratio; 1 is the whole.
  case ratio
  /// Per cent; 100 is the whole.
  case percent = "%"

  /// Whether the unit is one of counts (`count`, `bytes`, `tokens`, `pixels`, `levels`) rather than one of times, rates, angles or ratios.
  public var isDiscrete: Bool {
    switch self {
    case .count, .bytes, .tokens, .pixels, .levels: true
    case .milliseconds, .framesPerSecond, .degrees, .decibels, .ratio, .percent: false
    }
  }
}

/// The direction in which a figure is better.
public enum Polarity: String, Sendable, Codable, CaseIterable {
  /// Lower is better, for example for a delay.
  case lowerIsBetter
  /// Higher is better, for example for a rate.
  case higherIsBetter
  /// Any change counts as worse.
  case exact
}

/// The reason why two runs of one build on one source may differ in a figure.
public enum MetricKind: String, Sendable, Codable, CaseIterable {
  /// The figure never differs: the same build and the same recording give the same samples, to the last bit. Any difference is a change of the
  /// engine.
  case exact
  /// Time: other busy programs make the figure worse, so a limit that is missed while they run is measured again before it counts.
  case timed
  /// Counted while a tool ran the program instruction by instruction: the same build and the same input give the same figure to a thousandth,
  /// however busy the machine is. One run of each build decides.
  case counted
  /// Counted or judged on a device, or subject to chance. A busy machine does not excuse a missed limit.
  case observed

  /// Derives the kind of a metric that does not state one. Metrics of exact polarity that come from no device are `exact`; times and rates are
  /// `timed`.
  init(_ unit: MeasurementUnit, _ polarity: Polarity, level: EvidenceLevel) {
    if polarity == .exact {
      self = level == .synthetic ? .exact : .observed
    } else {
      self = unit == .milliseconds || unit == .framesPerSecond ? .timed : .observed
    }
  }
}

/// The level of evidence: how close to the glass a figure was taken. Figures of different levels are never compared with each other.
public enum EvidenceLevel: String, Sendable, Codable, CaseIterable {
  /// Taken by a camera that looks at a screen or LED.
  case photon
  /// Taken from the flip timestamp of the display.
  case display
  /// Taken from the driver's timestamp to the presented surface.
  case buffer
  /// Taken on a replayed or simulated camera.
  case synthetic
}

/// The samples of one metric, in the order taken.
public struct Measurement: Sendable {
  /// Id that is stable and unique in a report, such as `latency.glass-to-glass`. Profiles and baselines refer to it.
  public var id: String
  /// Title for the reader, a few words.
  public var title: String
  /// Unit of all samples. Limits on this metric must use it.
  public var unit: MeasurementUnit
  /// Direction in which a change is better. By default, lower is better.
  public var polarity: Polarity
  /// The evidence level of the samples: how close to the glass they were taken. Samples of different levels are never compared.
  public var level: EvidenceLevel
  /// Why the metric may differ from run to run.
  public var kind: MetricKind
  /// The samples, in `unit`. No samples, or a sample that is not finite, is a failure, unless `lack` tells why there are none.
  public var samples: [Double]
  /// The reason why the metric cannot be measured here, as a clause: `fswebcam is not installed`. An expected
  /// outcome, not a failure.
  public var lack: String?
  /// For a `counted` metric, the program that counted it and the functions that took the instructions. Nil for all other metrics.
  public var functions: FunctionCount?

  /// - Parameter kind: nil to derive it from unit, polarity and level: times and rates are `timed`, constants of a recording `exact`, the rest
  ///   `observed`.
  public init(
    id: String, title: String, unit: MeasurementUnit, polarity: Polarity = .lowerIsBetter,
    level: EvidenceLevel, kind: MetricKind? = nil,
    samples: [Double], lack: String? = nil
  ) {
    self.id = id
    self.title = title
    self.unit = unit
    self.polarity = polarity
    self.level = level
    self.kind = kind ?? MetricKind(unit, polarity, level: level)
    self.samples = samples
    self.lack = lack
  }
}
