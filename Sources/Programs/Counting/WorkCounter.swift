import CCounting
package import Probes

/// Marks the beginning and the end of the work for the counting tool. Without a tool it only does the work.
package struct WorkCounter: Sendable {
  /// The name under which the count is written.
  let name: String

  /// Does the work once without counting, so that everything is loaded, and then once more, counted.
  /// - Parameter units: the number of photos, frames or pictures that the work makes.
  func count(_ units: Int, _ work: () throws -> Void) rethrows {
    try work()
    counting_begin()
    try work()
    counting_end("\(name) \(units)")
  }

  /// The asynchronous form of `count(_:_:)`.
  func count(_ units: Int, _ work: () async throws -> Void) async rethrows {
    try await work()
    counting_begin()
    try await work()
    counting_end("\(name) \(units)")
  }
}

/// The work of the program that is counted: each of the paths, one after another.
package enum CountedWork {
  /// Whether the program was compiled with the marks for the tool.
  package static var isBuilt: Bool { counting_is_built() }

  /// Performs the proof and the paths.
  /// - Throws: the error of a path. Then no count is valid.
  package static func perform(_ paths: [CountedPath], _ rig: Rig) async throws {
    counting_begin()
    counting_rounds(provingRounds)
    counting_end("\(proof) 1")
    for path in paths {
      try await path.run(rig, WorkCounter(name: path.id))
      try path.floor?(rig, WorkCounter(name: path.floorID))
    }
  }

  /// The number of rounds of the proof's loop, of two instructions each.
  static let provingRounds: UInt64 = 1_000_000
  /// The name of the proof's count.
  static let proof = "proof"
}
