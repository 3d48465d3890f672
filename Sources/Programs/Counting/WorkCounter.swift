import CCounting
package import Probes

/// Tells the tool that counts where the work begins and ends. Without a tool it only does the work.
package struct WorkCounter: Sendable {
  /// Under which the count is written.
  let name: String

  /// Does the work once to have everything in its place, and then once more, counted.
  /// - Parameter units: how many photos, frames or pictures the work makes.
  func count(_ units: Int, _ work: () throws -> Void) rethrows {
    try work()
    counting_begin()
    try work()
    counting_end("\(name) \(units)")
  }

  /// The same for work that waits.
  func count(_ units: Int, _ work: () async throws -> Void) async rethrows {
    try await work()
    counting_begin()
    try await work()
    counting_end("\(name) \(units)")
  }
}

/// What a program that is counted does: each of these paths, one after the other.
package enum CountedWork {
  /// Whether the program was compiled with what tells the tool.
  package static var isBuilt: Bool { counting_is_built() }

  /// - Throws: what a path throws, in which case nothing is to be believed.
  package static func perform(_ paths: [CountedPath], _ rig: Rig) async throws {
    counting_begin()
    counting_rounds(provingRounds)
    counting_end("\(proof) 1")
    for path in paths {
      try await path.run(rig, WorkCounter(name: path.id))
      try path.floor?(rig, WorkCounter(name: path.floorID))
    }
  }

  /// What the count is proved by: rounds of two instructions each.
  static let provingRounds: UInt64 = 1_000_000
  /// The name of the proof's count.
  static let proof = "proof"
}
