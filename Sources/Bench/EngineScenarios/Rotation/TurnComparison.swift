import Capture
import Imagery
import Probes

/// The pictures shown across a turn, compared one by one with the expected orientations.
struct TurnComparison {
  /// Number of pictures shown.
  let subjects: Int
  private(set) var wrong = 0
  private(set) var unreadable = 0
  /// Number of frames of the recording that were never shown.
  let missing: Int
  /// Number of different angles seen.
  let angles: Int
  private var mistakes: [String: Int] = [:]

  /// - Parameter expected: the orientation that each frame of the recording needs, by the frame's number.
  init(_ log: [Presentation], expected: [UInt32: Orientation]) {
    subjects = log.count
    missing = Set(expected.keys).subtracting(log.map(\.frame.sequence)).count
    angles = Set(log.compactMap { $0.seen?.rotation }).count
    for entry in log {
      guard let code = entry.code, let seen = entry.seen, let wanted = expected[code] else {
        unreadable += 1
        continue
      }
      if seen != wanted {
        wrong += 1
        mistakes["\(wanted) was expected and \(seen) seen", default: 0] += 1
      }
    }
  }

  var isRight: Bool { wrong == 0 && unreadable == 0 && missing == 0 && angles == 4 }

  var detail: String {
    if unreadable > 0 { return "the number could not be read in \(unreadable) of \(subjects) frames" }
    if missing > 0 { return "\(missing) frames of the recording were never shown" }
    let listed = mistakes.sorted { $0.value > $1.value }.prefix(3).map { "\($0.key) in \($0.value)" }
    if !listed.isEmpty { return "of \(subjects) frames " + listed.joined(separator: ", ") }
    return "\(subjects) frames, \(angles) angles, none stale, none early"
  }
}

/// The pictures shown across a turn while the preview was locked to one angle.
struct LockComparison {
  /// Number of pictures shown.
  let subjects: Int
  /// Number of pictures whose pixels do not show the locked angle, or cannot be read.
  private(set) var unlocked = 0
  /// Number of frames that would not have been captured upright.
  private(set) var captured = 0
  /// Number of different angles at which frames would have been captured.
  let angles: Int

  /// - Parameters:
  ///   - locked: the orientation that every picture must have.
  ///   - expected: the orientation that captures each frame upright, by the frame's number.
  init(_ log: [Presentation], locked: Orientation, expected: [UInt32: Orientation]) {
    subjects = log.count
    angles = Set(log.map(\.frame.orientation.capture.rotation)).count
    for entry in log {
      if entry.seen != locked { unlocked += 1 }
      if entry.frame.orientation.capture != expected[entry.frame.sequence] { captured += 1 }
    }
  }
}
