import CCounting
package import Probes

/// Marks the beginning and the end of the work for the counting tool, or counts the bytes that the work copies. Without a tool it
/// only does the work.
package struct WorkCounter: Sendable {
  /// The name under which the count is written.
  let name: String
  let subject: CountedWork.Subject

  /// Does the work once without counting, so that everything is loaded, and then once more, counted.
  /// - Parameter units: the number of photos, frames or pictures that the work makes.
  func count(_ units: Int, _ work: () throws -> Void) rethrows {
    try work()
    let copied = begin()
    try work()
    end(units, copied)
  }

  /// The asynchronous form of `count(_:_:)`.
  func count(_ units: Int, _ work: () async throws -> Void) async rethrows {
    try await work()
    let copied = begin()
    try await work()
    end(units, copied)
  }

  /// Returns the bytes that were copied until now.
  private func begin() -> UInt64 {
    switch subject {
    case .copies:
      counting_watch_copies()
      return counting_copied()
    case .instructions:
      counting_begin()
      return 0
    }
  }

  private func end(_ units: Int, _ copied: UInt64) {
    switch subject {
    case .copies:
      let bytes = counting_copied() - copied
      print("\(name) \(units) \(bytes)")
    case .instructions: counting_end("\(name) \(units)")
    }
  }
}

/// The work of the program that is counted: each of the paths, one after another.
package enum CountedWork {
  /// What a run counts.
  package enum Subject: String, CaseIterable, Sendable {
    /// Instructions, by callgrind, which runs the program.
    case instructions
    /// The bytes that the C library copies (`memcpy`, `memmove`, `mempcpy`). One line for each count on standard output: the
    /// name, the units of work, and the bytes. Needs no tool.
    case copies
  }

  /// Whether the program was compiled with the marks for the tool.
  package static var isBuilt: Bool { counting_is_built() }

  /// Performs the proof and the paths.
  /// - Throws: the error of a path. Then no count is valid.
  package static func perform(_ paths: [CountedPath], _ rig: Rig, counting subject: Subject) async throws {
    switch subject {
    case .instructions:
      counting_begin()
      counting_rounds(provingRounds)
      counting_end("\(proof) 1")
    case .copies: WorkCounter(name: proof, subject: subject).count(1) { _ = counting_copy(provingBytes) }
    }
    for path in paths {
      try await path.run(rig, WorkCounter(name: path.id, subject: subject))
      try path.floor?(rig, WorkCounter(name: path.floorID, subject: subject))
    }
  }

  /// The number of rounds of the proof's loop, of two instructions each.
  static let provingRounds: UInt64 = 1_000_000
  /// The bytes that the proof copies.
  static let provingBytes: UInt64 = 1_000_000
  /// The name of the proof's count.
  static let proof = "proof"
}
