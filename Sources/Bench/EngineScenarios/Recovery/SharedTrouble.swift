import Probes

/// One play of the recording with trouble in it serves every scenario that looks at it: each looks at another part. A
/// scenario that asks again is being measured again, and gets a new one.
actor SharedTrouble {
  private var play: Task<[TroubleLog], any Error>?
  private var served: Set<String> = []

  /// One log a camera.
  func logs(for scenario: String, of rig: Rig) async throws -> [TroubleLog] {
    if served.contains(scenario) { (play, served) = (nil, []) }
    served.insert(scenario)
    let current = play ?? Task { try await TroublePlay.logs(rig) }
    play = current
    return try await current.value
  }
}
