import Imagery
import Probes
import System

/// The angles at which the lab held the device, with times.
struct TiltTruth: Sendable {
  struct Tilt: Sendable {
    var held: Rotation
    /// A time before the turn: when the lab was given the command.
    var began: MonotonicTime
    /// A time after the turn: when the lab reported that the command was done.
    var done: MonotonicTime
    /// Whether the sensor was present during the turn. A turn during its absence has no measurable delay.
    var isSeen = true
  }

  var tilts: [Tilt] = []
  /// The time after a turn within which the sensor must report it: two of the sensor's intervals.
  var samplingInterval = Duration.zero

  /// Notes that the sensor is back with another angle than before: the device was turned unobserved.
  /// - Parameters:
  ///   - began: the time from which the device may have been turned: before the turn.
  ///   - known: the time from which the sensor followed the angle again; until then the angles before and after the turn are both right.
  mutating func returned(holding held: Rotation, turnedAfter began: MonotonicTime, known: MonotonicTime) {
    tilts.append(Tilt(held: held, began: began, done: known, isSeen: false))
  }

  /// Returns the angles that a frame exposed at `time` may have: one, or two while the sensor may not have reported the latest turn yet.
  /// Empty until the sensor must have reported the first turn.
  func allowed(at time: MonotonicTime) -> Set<Rotation> {
    guard let index = tilts.lastIndex(where: { $0.began <= time }) else { return [] }
    let tilt = tilts[index]
    guard time < tilt.done + samplingInterval else { return [tilt.held] }
    return index > 0 ? [tilt.held, tilts[index - 1].held] : []
  }
}

extension [TurnedPicture] {
  /// Number of frames that more than one output got (`frames`), and of those frames that the outputs turned by different angles
  /// (`disagreed`).
  var shared: (frames: Int, disagreed: Int) {
    let frames = Dictionary(grouping: self, by: \.exposure).values.filter { Set($0.map(\.output)).count > 1 }
    return (frames.count, frames.count { Set($0.map(\.applied.rotation)).count > 1 })
  }
}

/// The results for the pictures of one output.
struct TiltFindings: Sendable {
  var subjects = 0
  /// Pictures whose angle was not allowed at the time of their exposure.
  var wrong: [TurnedPicture] = []
  var angles: Set<Rotation> = []
  /// Number of pictures whose pixels were read.
  var read = 0
  /// Number of pictures whose pixels are turned differently from what the picture states.
  var untrue = 0

  init(_ pictures: [TurnedPicture], truth: TiltTruth) {
    for picture in pictures {
      let allowed = truth.allowed(at: picture.exposure)
      guard !allowed.isEmpty else { continue }
      subjects += 1
      if !allowed.contains(picture.applied.rotation) { wrong.append(picture) }
      angles.insert(picture.applied.rotation)
      guard let seen = picture.seen else { continue }
      read += 1
      if seen != picture.applied { untrue += 1 }
    }
  }
}
