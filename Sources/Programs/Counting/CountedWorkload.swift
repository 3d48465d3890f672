import Glibc
public import Harness
public import Probes

/// HAR-10: counts the instructions of one group's paths, which neither other programs nor a slow processor change.
public struct CountedWorkload: Scenario {
  /// The identifier, such as `counted.pixels`.
  public let id: String
  /// The suite of the scenario.
  public let suite = Suite.counted
  /// The title of the group.
  public let title: String
  /// The purpose of the scenario, for a person.
  public let purpose =
    "Times need a quiet machine; instructions do not. One run shows what a change costs, and the "
    + "function that costs it."
  /// An example of a change that the scenario detects.
  public let exampleFailure =
    "An unnecessary copy of each frame: 3 % more instructions, with the name of the function."
  /// The requirements that the scenario tests.
  public let requirements: [RequirementID] = ["HAR-10"]
  /// Counts do not change however long the processors leave callgrind waiting.
  public var patience: Double { 8 }
  /// Scenarios that time work which is counted here. If both builds can be counted, a comparison of all scenarios leaves them
  /// out.
  public static let timedElsewhere: Set = [
    "photo.floor", "photo.linear", "preview.floor", "latency.engine-1080p30", "latency.engine-4k30",
  ]
  /// Whether this program can be counted on this machine.
  public static var isPossible: Bool {
    CountedWork.isBuilt
      && ["/usr/local/bin", "/usr/bin"].contains { (folder: String) in access("\(folder)/valgrind", X_OK) == 0
      }
  }
  private let rig: Rig
  private let paths: [CountedPath]

  init(_ group: CountedPath.Group, rig: Rig) {
    (id, title, self.rig) = ("counted.\(group.rawValue)", group.title, rig)
    paths = CountedPath.all.filter { $0.group == group }
  }

  /// Returns one scenario for each group, in the order of the report.
  public static func all(rig: Rig) -> [any Scenario] {
    CountedPath.Group.allCases.map { CountedWorkload($0, rig: rig) }
  }

  /// Checks that a wrong count of a loop with known instructions is refused, and that callgrind's format is parsed correctly. Each run counts that
  /// loop too.
  public func selfTest(_ context: ScenarioContext) async throws -> SelfTest {
    let known = 2 * CountedWork.provingRounds
    let wrong: [UInt64] = [0, known - 1, known * 102 / 100, 2 * known]
    guard CountingRun.isProof(known), !wrong.contains(where: CountingRun.isProof) else {
      return .failed("a count that is wrong by 2 % was accepted")
    }
    let file = try CallgrindFile("events: Ir\nfn=(1) a\n1 \(known)\ncfn=(2) b\ncalls=1 0\n1 7\nfn=(2)\n1 7\n")
    guard file.total("Ir") == known + 7, file.functions.map(\.own) == [[known], [7]] else {
      return .failed("\(known + 7) instructions of two functions were read as \(file.total("Ir"))")
    }
    return .passed(
      "counts of a known loop that are wrong by 2 % are refused; each run counts that loop first")
  }

  /// Counts every path once.
  public func run(_ context: ScenarioContext) async throws -> Observation {
    guard rig.specification == nil, rig.camera == nil else {
      throw Unsupported(
        "this scenario counts only with bundled pictures and drawn cameras, so that all runs have the "
          + "same input; leave --source out"
      )
    }
    let run = CountingRun(rig: rig, paths: paths, scratch: context.scratchDirectory)
    let counts: [CountingRun.Count]
    do { counts = try await onOwnThread { try run.counts() } } catch let error as CountingError {
      return Observation(checks: [
        Check(
          id: "\(id).counted", title: "Every path is counted", passed: false, subjects: paths.count,
          detail: "\(error.description); report this if it happens again")
      ])
    }
    return Observation(
      metrics: counts.flatMap(\.metrics),
      checks: [
        Check(
          id: "\(id).counted", title: "Every path is counted", passed: counts.count == paths.count,
          subjects: paths.count,
          detail: "\(counts.count) of \(paths.count)")
      ],
      notes: [
        "Each path is done once to have everything in its place, and then counted. Misses of caches and branches are those of callgrind's model."
      ])
  }
}

extension CountedPath.Group {
  fileprivate var title: String {
    switch self {
    case .pixels: "Photos, previews and looks, counted"
    case .engine: "Sessions and recordings, counted"
    case .books: "Books, queue and library, counted"
    case .harness: "Reports and the control channel, counted"
    }
  }
}

extension CountingRun.Count {
  fileprivate var metrics: [Measurement] {
    func measurement(_ part: String, _ title: String, _ value: Double, _ unit: MeasurementUnit = .count)
      -> Measurement
    {
      Measurement(
        id: "counted.\(path.id).\(part)", title: "\(path.title): \(title) a \(path.unit)", unit: unit,
        level: .synthetic, kind: .counted, samples: [value])
    }
    var work = measurement("instructions", "instructions", instructions)
    work.functions = functions
    let own = own.map { own in
      var work = measurement("own-instructions", "instructions of our own functions", own.instructions)
      work.functions = own.functions
      return work
    }
    let beside = floor.map { floor in
      Measurement(
        id: "counted.\(path.id).beside-c", title: "\(path.title): instructions, compared with the shortest C",
        unit: .ratio,
        level: .synthetic, kind: .counted, samples: [instructions / floor])
    }
    return [
      work, measurement("allocations", "allocations", allocations),
      measurement("copies", "bytes copied", copies, .bytes),
      measurement("system-calls", "system calls", systemCalls),
      measurement("cache-misses", "misses of the first cache", cacheMisses),
      measurement("branch-misses", "mispredicted branches", branchMisses),
    ] + [own, beside].compactMap { $0 }
  }
}
