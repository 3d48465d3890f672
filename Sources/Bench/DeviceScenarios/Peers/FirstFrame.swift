import Harness
import Probes
import Video4Linux

/// COLD-1 compared with other programs: which program gets its first frame first.
struct FirstFrame: Scenario {
  let id = "peers.first-frame"
  let suite = Suite.peers
  let title = "First frame, beside other programs"
  let purpose =
    "How long a start takes depends on the camera; only other programs on the same camera show whether a viewfinder is quick."
  let exampleFailure =
    "A viewfinder whose libraries take longer to load than the camera to start: fswebcam has its picture first."
  let requirements: [RequirementID] = ["COLD-1"]
  let rig: Rig

  /// Proves that programs that sleep for a known time are timed correctly, and that a program that fails or is not installed has no time.
  func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    @Sendable func peer(_ name: String, _ arguments: String...) -> Peer {
      Peer(name: name, package: "coreutils", arguments: arguments, versionOption: "--version")
    }
    return try await onOwnThread {
      guard let slow = try peer("sleep", "0.05").run(), slow >= 50 else {
        return .failed("a program that sleeps for 50 ms was timed at less")
      }
      guard try peer("false").run() == nil, try peer("swiftwing-no-such-peer").version() == nil,
        try peer("sleep").version() != nil
      else {
        return .failed("a program that fails or is not installed was accepted as one that took a frame")
      }
      return .passed(
        "a program of 50 ms was timed at \(Int(slow)) ms; one that fails or is missing has no time")
    }
  }

  func run(_ context: ScenarioContext) async throws -> Observation {
    let (rig, rounds) = (rig, context.duration.peerRounds)
    return try await onOwnThread { try Self.measure(rig, rounds) }
  }

  private static func measure(_ rig: Rig, _ rounds: Int) throws -> Observation {
    let node = try Self.node(rig)
    let size = try VideoDevice(path: node).format().size
    let ours = ViewfinderLaunch(rig, arguments: ["view", "--frames", "1", "--json", "--source", node])
    let all = Peer.all(node: node, size: (size.width, size.height))
    let versions = try all.map { try $0.version() }
    let installed = zip(all, versions).filter { $1 != nil }.map(\.0)
    var log = RoundLog()
    // The first round loads files into memory and does not count.
    for round in 0...rounds {
      try Task.checkCancellation()
      let moments = try ours.run()
      let times = try installed.map { try ($0.name, $0.run()) }
      if round > 0 { log.add(moments, times) }
    }
    return PeerFindings(node: node, size: "\(size)", peers: Array(zip(all, versions)), log: log).observation
  }

  /// Returns the node that the user named, or else an HDMI input of the lab that is not part of a loop.
  private static func node(_ rig: Rig) throws -> String {
    if let named = rig.specification {
      guard named.hasPrefix("/dev/") else {
        throw Unsupported("other programs cannot play \(named); name a device: `--source /dev/video0`")
      }
      return String(named.prefix { $0 != "?" })
    }
    guard let lab = try? DeviceLab() else {
      throw Unsupported("other programs need a device; name one: `--source /dev/video0`")
    }
    return try LabNode.first(lab, rig, wanted: .digital).path
  }
}

extension RunDuration {
  /// Number of times that each program is started.
  fileprivate var peerRounds: Int {
    switch self {
    case .turn, .short: 10
    case .full: 30
    case .soak: 200
    }
  }
}
