import Glibc
public import System

/// The world in front of a `SensorSource`: its light, its colour, and distances. It may change while the camera runs, and is shared by the cameras of
/// one device.
///
/// It shows a grey card, vertical bars in the middle, and a row of five greys below them. The number in the corner of the stored picture is not part
/// of it.
public final class SensorScene: Sendable {
  /// The light over time, and the other properties of the scene.
  struct State {
    var steps: [(time: MonotonicTime, lightValue: Double)]
    var temperature = 5000.0
    var tint = 0.0
    var flicker: (frequency: Double, depth: Double)?
    var distances = (left: 2.0, right: 2.0)
    var panning = 0.0
    var attitude = 0.0
  }

  private let state: Locked<State>

  /// Creates a still scene at a distance of two metres, in light of 5000 K.
  /// - Parameter lightValue: exposure value at ISO 100; 12 is an overcast day, 7 a lit room, 0 a candle.
  public init(lightValue: Double = 10) {
    state = Locked(State(steps: [(MonotonicTime(nanoseconds: .min / 2), lightValue)]))
  }

  var snapshot: State { state.withLock { $0 } }

  /// The light from the last change on, as an exposure value at ISO 100.
  public var lightValue: Double { state.withLock { $0.steps.last?.lightValue ?? 0 } }

  /// Changes the light. Rows that are exposed across the change collect light from before and after it.
  /// - Parameters:
  ///   - lightValue: exposure value at ISO 100, clamped to −6 to 20.
  ///   - time: time of the change on the camera's clock. Changes that were already set for this time or a
  ///     later one are removed, so set changes in ascending order.
  public func setLight(_ lightValue: Double, at time: MonotonicTime) {
    let bounded = min(max(lightValue, -6), 20)
    state.withLock { state in
      state.steps.removeAll { $0.time >= time }
      state.steps.append((time, bounded))
      // Drop steps that are older than any current exposure.
      if state.steps.count > 64 { state.steps.removeFirst(32) }
    }
  }

  /// Colour temperature of the light, 2200 to 15 000 kelvin.
  public var temperature: Double {
    get { state.withLock { $0.temperature } }
    set { state.withLock { $0.temperature = newValue } }
  }

  /// Distance of the light from that of a black body, in 1/3000 of the CIE 1960 diagram; positive is green, as with fluorescent tubes.
  public var tint: Double {
    get { state.withLock { $0.tint } }
    set { state.withLock { $0.tint = newValue } }
  }

  /// Adds the flicker of a lamp on alternating current: the frequency of its brightness (100 Hz for mains of 50 Hz), and the amplitude as a share of
  /// its light, 0 to 1.
  public func setFlicker(frequency: Double, depth: Double) {
    state.withLock { state in
      state.flicker = nil
      if depth > 0, frequency > 0 { state.flicker = (frequency, min(depth, 1)) }
    }
  }

  /// Sets the distances of the bars, in metres, in the left and the right half.
  public func setDistances(left: Double, right: Double) {
    state.withLock { $0.distances = (max(left, 0.01), max(right, 0.01)) }
  }

  /// Speed of the scene, in picture widths per second. The bars lean, because rows are read one after the other.
  public var panning: Double {
    get { state.withLock { $0.panning } }
    set { state.withLock { $0.panning = newValue } }
  }

  /// The angle at which the device is held, in clockwise degrees from upright. The scene is drawn as it is stored and does not turn.
  public var attitude: Double {
    get { state.withLock { $0.attitude } }
    set { state.withLock { $0.attitude = newValue } }
  }
}

extension SensorScene.State {
  /// Returns 2^EV integrated from `start` to `end`, in seconds.
  func energy(from start: MonotonicTime, to end: MonotonicTime) -> Double {
    var sum = 0.0
    for (index, step) in steps.enumerated() {
      let from = max(step.time, start)
      let to = index + 1 < steps.count ? min(steps[index + 1].time, end) : end
      if from < to { sum += exp2(step.lightValue) * brightness(from, to) }
    }
    return sum
  }

  /// Returns the duration in seconds, weighted with the lamp's flicker.
  private func brightness(_ from: MonotonicTime, _ to: MonotonicTime) -> Double {
    let seconds = Double((to - from).nanoseconds) / 1e9
    guard let flicker else { return seconds }
    let rate = 2 * Double.pi * flicker.frequency
    // Whole turns of the phase do not matter.
    let begin = Double(from.nanoseconds) / 1e9
    return seconds + flicker.depth * (cos(rate * begin) - cos(rate * (begin + seconds))) / rate
  }
}
