/// What a figure counts.
public enum MeasurementUnit: String, Sendable, Codable, CaseIterable {
  /// Thousandths of a second.
  case milliseconds = "ms"
  /// How many.
  case count
  /// Pictures a second.
  case framesPerSecond = "fps"
  /// Of a file or of memory.
  case bytes
  /// What a vision model charges for a picture.
  case tokens
  /// Of a picture, along a side.
  case pixels = "px"
  /// Of a turn.
  case degrees = "°"
  /// Steps of an 8-bit code, 0...255.
  case levels
  /// Of a ratio, as of noise to signal.
  case decibels = "dB"
  /// A plain number, 1 being the whole.
  case ratio
  /// Per cent: 100 is the whole.
  case percent = "%"

  /// True for what is counted rather than timed: the same engine on the same source gives the same figure.
  public var isDiscrete: Bool {
    switch self {
    case .count, .bytes, .tokens, .pixels, .levels: true
    case .milliseconds, .framesPerSecond, .degrees, .decibels, .ratio, .percent: false
    }
  }
}

/// Which way is better.
public enum Polarity: String, Sendable, Codable, CaseIterable {
  /// As for a delay.
  case lowerIsBetter
  /// As for a rate.
  case higherIsBetter
  /// Any change is for the worse.
  case exact
}

/// Why two runs of one build on one source may differ in a figure.
public enum MetricKind: String, Sendable, Codable, CaseIterable {
  /// They may not: the same build and the same recording give the same samples, to the last bit. Any difference is a change of the engine.
  case exact
  /// A matter of time: other busy programs make it worse, so a limit that is missed beside them is measured again before it counts.
  case timed
  /// Counted while a tool ran the program instruction by instruction: the same build and the same input give the same to a thousandth, however
  /// busy the machine is. One run of each build decides.
  case counted
  /// Neither: counted or judged on a device, or where chance has a part. No busy machine excuses a limit that is missed.
  case observed

  /// The kind of a metric that does not say its own. Figures that are exact by their polarity and come from no device are `exact`; times
  /// and rates are `timed`.
  init(_ unit: MeasurementUnit, _ polarity: Polarity, level: EvidenceLevel) {
    if polarity == .exact {
      self = level == .synthetic ? .exact : .observed
    } else {
      self = unit == .milliseconds || unit == .framesPerSecond ? .timed : .observed
    }
  }
}

/// How close to the glass a figure was taken; levels are never compared with each other.
public enum EvidenceLevel: String, Sendable, Codable, CaseIterable {
  /// A camera looking at a screen or LED.
  case photon
  /// The display's own flip time stamp.
  case display
  /// The driver's time stamp to the presented surface.
  case buffer
  /// A replayed or simulated camera.
  case synthetic
}

/// The samples of one metric, in the order they were taken.
public struct Measurement: Sendable {
  /// Stable and unique in a report, such as `latency.glass-to-glass`: what profiles and baselines refer to.
  public var id: String
  /// A few words for a reader.
  public var title: String
  /// Of every sample; limits on this metric must be in it.
  public var unit: MeasurementUnit
  /// Which way a change is for the better. Default is that less is.
  public var polarity: Polarity
  /// How close to the glass it was taken; runs with other levels are not compared with it.
  public var level: EvidenceLevel
  /// What makes it differ from run to run.
  public var kind: MetricKind
  /// In `unit`. None at all, or any that is not finite, is a failure, unless `lack` tells why there are none.
  public var samples: [Double]
  /// Why this cannot be measured here, as a clause: `fswebcam is not installed`. An expected outcome, not a failure.
  public var lack: String?
  /// Of what is `counted`: who counted it, and where it went; nil for all else.
  public var functions: FunctionCount?

  /// - Parameter kind: nil for what follows from unit, polarity and level: times and rates are `timed`, constants of a recording
  ///   `exact`, the rest `observed`.
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
