import Imagery
import Probes

/// How the lab held the device, and since when.
struct TiltTruth: Sendable {
  struct Tilt: Sendable {
    var held: Rotation
    /// Around the moment it took effect: the command was given, and the lab said that it was done.
    var began: MonotonicTime
    var done: MonotonicTime
  }

  var tilts: [Tilt] = []
  /// After a tilt, until the sensor must have said so: two of its intervals.
  var samplingInterval = Duration.zero

  /// The angles that a frame exposed at `time` may have: one, but while the sensor has not spoken yet two. None before the
  /// first tilt.
  func allowed(at time: MonotonicTime) -> Set<Rotation> {
    guard let index = tilts.lastIndex(where: { $0.began <= time }) else { return [] }
    let tilt = tilts[index]
    guard time < tilt.done + samplingInterval else { return [tilt.held] }
    return index > 0 ? [tilt.held, tilts[index - 1].held] : []
  }
}

/// What became of the pictures of one output.
struct TiltFindings: Sendable {
  var subjects = 0
  /// With another angle than the one that held when they were exposed.
  var wrong: [TurnedPicture] = []
  var angles: Set<Rotation> = []
  /// Whose pixels were read, and of those the ones that were turned otherwise than their facts say.
  var read = 0
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
