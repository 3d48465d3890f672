import Harness
import Probes
import System

/// The times of all rounds.
struct RoundLog: Sendable {
  /// Milliseconds from start to end of our process.
  var ours: [Double] = []
  /// Milliseconds from the start of our process to the presented picture.
  var presented: [Double] = []
  /// Milliseconds from start to end of each other program, by its name. Failed runs have no time.
  var peers: [String: [Double]] = [:]
  /// Number of failed runs, by the name of the program.
  var failures: [String: Int] = [:]

  mutating func add(_ moments: ViewfinderLaunch.Moments, _ times: [(String, Double?)]) {
    ours.append((moments.exited - moments.spawned).milliseconds)
    presented.append((moments.presented - moments.spawned).milliseconds)
    for (name, time) in times {
      if let time { peers[name, default: []].append(time) } else { failures[name, default: 0] += 1 }
    }
  }
}

struct PeerFindings {
  let node: String
  let size: String
  /// The programs, with the versions of those that are installed.
  let peers: [(Peer, version: String?)]
  let log: RoundLog

  private static let id = "peers.first-frame"
  /// The program closest to the driver, as a reference. The others must be slower than SwiftWing.
  private static let reference = "v4l2-ctl"

  var observation: Observation {
    Observation(
      metrics: [
        measurement("swiftwing", "swiftwing view: start → ended, its picture presented", samples: log.ours),
        measurement("presented", "swiftwing view: start → picture presented", samples: log.presented),
      ] + peers.map { theirs($0.0, $0.version) },
      checks: peers.filter { $0.version != nil }.flatMap { checks($0.0.name) },
      notes: [
        "On \(node), \(size); by turns, \(log.ours.count) rounds after one to warm the caches. The others only take the frame."
      ])
  }

  private func measurement(_ name: String, _ title: String, samples: [Double], lack: String? = nil)
    -> Measurement
  {
    Measurement(
      id: "\(Self.id).\(name)", title: title, unit: .milliseconds, level: .buffer, samples: samples,
      lack: lack)
  }

  private func theirs(_ peer: Peer, _ version: String?) -> Measurement {
    guard let version else {
      return measurement(
        peer.name, "\(peer.name): start → ended", samples: [],
        lack: "\(peer.name) is not installed; install it with: apt-get install \(peer.package)")
    }
    return measurement(
      peer.name, "\(version): start → ended, a frame taken", samples: log.peers[peer.name] ?? [])
  }

  private func checks(_ name: String) -> [Check] {
    let (times, failures) = (log.peers[name] ?? [], log.failures[name] ?? 0)
    var checks = [
      Check(
        id: "\(Self.id).\(name).runs", title: "\(name) takes a frame every time", passed: failures == 0,
        subjects: times.count + failures, detail: "\(failures) of \(times.count + failures) failed")
    ]
    guard name != Self.reference, let ours = Summary(log.ours), let other = Summary(times) else {
      return checks
    }
    // Compared round by round if each program took a frame in every round, because the load of the machine then affects both.
    let pairs = log.ours.count == times.count ? Summary(zip(log.ours, times).map { $0 - $1 }) : nil
    let behind = pairs.map(\.median) ?? ours.median - other.median
    checks.append(
      Check(
        id: "\(Self.id).\(name).ahead", title: "Ahead of \(name)",
        passed: behind < 0,
        subjects: times.count,
        detail: "median \(Self.text(ours)) against \(Self.text(other)) ms (middle half)",
        requirement: "COLD-1", missedBy: behind))
    return checks
  }

  private static func text(_ summary: Summary) -> String {
    func whole(_ percent: Double) -> Int { Int(summary.percentile(percent).rounded()) }
    return "\(whole(50)) (\(whole(25))–\(whole(75)))"
  }
}
