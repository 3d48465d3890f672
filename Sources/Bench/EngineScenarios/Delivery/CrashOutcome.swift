/// The JSON output of `swiftwing-tool trial crash`: the state after the last kill, when everything had been
/// delivered.
package struct CrashOutcome: Codable, Sendable, CustomStringConvertible {
  package var kills = 0
  /// The number of kills by the step that they interrupted. One kill may interrupt several steps.
  package var moments: [String: Int] = [:]
  /// The number of scans that the processes reported as accepted.
  package var acknowledged = 0
  /// The number of scans that were refused for lack of space.
  package var refused = 0
  /// The number of times that the queue or the library could not be written.
  package var troubles = 0
  /// The number of times that the disk was filled up.
  package var fillings = 0
  package var delivered = 0
  package var lost = 0
  package var doubled = 0
  package var imagesLeft = 0
  /// The number of jobs that the backend made.
  package var jobs = 0
  /// The number of jobs that are still open at the backend.
  package var openJobs = 0
  /// The faults found in the library, and each process that crashed before it was killed. Empty if there are none.
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
