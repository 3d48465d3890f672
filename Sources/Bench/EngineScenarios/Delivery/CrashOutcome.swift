/// What `swiftwing-tool trial crash` tells: what was left when the killing was over and everything had been delivered.
package struct CrashOutcome: Codable, Sendable, CustomStringConvertible {
  package var kills = 0
  /// Kills in the middle of each; one kill can hit several.
  package var moments: [String: Int] = [:]
  /// Scans the processes had said were accepted.
  package var acknowledged = 0
  /// Scans that were refused for want of space.
  package var refused = 0
  /// How often the queue or the library could not be written.
  package var troubles = 0
  /// How often the disk was filled up.
  package var fillings = 0
  package var delivered = 0
  package var lost = 0
  package var doubled = 0
  package var imagesLeft = 0
  /// Made at the backend, and still open there.
  package var jobs = 0
  package var openJobs = 0
  /// What is wrong with the library; empty if nothing is.
  package var findings: [String] = []

  package init() {}

  package var isClean: Bool {
    lost == 0 && doubled == 0 && imagesLeft == 0 && openJobs == 0 && findings.isEmpty && acknowledged > 0
  }

  package var description: String {
    """
    \(kills) kills: \(acknowledged) scans acknowledged, \(delivered) delivered, \(lost) lost, \(doubled) doubled, \
    \(imagesLeft) images left, \(jobs) jobs made, \(openJobs) open, library \
    \(findings.isEmpty ? "consistent" : "DAMAGED: \(findings)")
    """
  }
}
