/// The output of `swiftwing-tool trial crash`: the counts after the last kill, when everything had been delivered.
package struct CrashOutcome: Codable, Sendable, CustomStringConvertible {
  package var kills = 0
  /// The number of kills during each operation. One kill can hit several operations.
  package var moments: [String: Int] = [:]
  /// The number of scans that the processes reported as accepted.
  package var acknowledged = 0
  /// The number of scans that were refused for lack of disk space.
  package var refused = 0
  /// The number of times that the queue or the library could not be written.
  package var troubles = 0
  /// The number of times that the disk was full.
  package var fillings = 0
  package var delivered = 0
  package var lost = 0
  package var doubled = 0
  package var imagesLeft = 0
  /// The number of jobs that the backend made, and of those that are still open.
  package var jobs = 0
  package var openJobs = 0
  /// The contradictions in the library. Empty if there are none.
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
