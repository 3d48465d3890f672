import Imagery
import Probes
import System

/// How the lab held the device, and since when.
struct TiltTruth: Sendable {
  struct Tilt: Sendable {
    var held: Rotation
    /// Around the moment it took effect: the command was given, and the lab said that it was done.
    var began: MonotonicTime
    var done: MonotonicTime
    /// The sensor was there to see it. A turn that it came back with has no delay to measure.
    var isSeen = true
  }

  var tilts: [Tilt] = []
  /// After a tilt, until the sensor must have said so: two of its intervals.
  var samplingInterval = Duration.zero

  /// The sensor is back, with another angle than it went with: the device was turned while nobody could know it.
  /// - Parameters:
  ///   - began: before the device was turned.
  ///   - known: when the angle was followed again. Until then both angles are right.
  mutating func returned(holding held: Rotation, turnedAfter began: MonotonicTime, known: MonotonicTime) {
    tilts.append(Tilt(held: held, began: began, done: known, isSeen: false))
  }

  /// The angles that a frame exposed at `time` may have: one, but while the sensor has not spoken yet two. None before the
  /// first tilt.
  func allowed(at time: MonotonicTime) -> Set<Rotation> {
    guard let index = tilts.lastIndex(where: { $0.began <= time }) else { return [] }
    let tilt = tilts[index]
    guard time < tilt.done + samplingInterval else { return [tilt.held] }
    return index > 0 ? [tilt.held, tilts[index - 1].held] : []
  }
}

extension [TurnedPicture] {
  /// Frames that more than one output got, and those of them that were not turned by one angle.
  var shared: (frames: Int, disagreed: Int) {
    let frames = Dictionary(grouping: self, by: \.exposure).values.filter { Set($0.map(\.output)).count > 1 }
    return (frames.count, frames.count { Set($0.map(\.applied.rotation)).count > 1 })
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
