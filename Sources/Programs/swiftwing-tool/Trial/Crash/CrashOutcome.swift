/// What was left when the killing was over and everything had been delivered.
struct CrashOutcome: Codable, CustomStringConvertible {
  var kills = 0
  /// Kills in the middle of each; one kill can hit several.
  var moments: [String: Int] = [:]
  /// Scans the processes had said were accepted.
  var acknowledged = 0
  /// Scans that were refused for want of space.
  var refused = 0
  /// How often the queue or the library could not be written.
  var troubles = 0
  /// How often the disk was filled up.
  var fillings = 0
  var delivered = 0
  var lost = 0
  var doubled = 0
  var imagesLeft = 0
  /// Made at the backend, and still open there.
  var jobs = 0
  var openJobs = 0
  /// What is wrong with the library; empty if nothing is.
  var findings: [String] = []

  mutating func note(_ life: Life) {
    kills += 1
    for moment in life.moments { moments[moment.rawValue, default: 0] += 1 }
    refused += life.count { if case .refused = $0 { true } else { false } }
    troubles += life.count { $0 == .trouble }
  }

  var isClean: Bool {
    lost == 0 && doubled == 0 && imagesLeft == 0 && openJobs == 0 && findings.isEmpty && acknowledged > 0
  }

  var description: String {
    """
    \(kills) kills: \(acknowledged) scans acknowledged, \(delivered) delivered, \(lost) lost, \(doubled) doubled, \
    \(imagesLeft) images left, \(jobs) jobs made, \(openJobs) open, library \
    \(findings.isEmpty ? "consistent" : "DAMAGED: \(findings)")
    """
  }
}
