import Probes

/// One play of the recording with trouble, shared by all scenarios that examine it. If a scenario requests the play a second time, it repeats its
/// measurement, and gets a new play.
actor SharedTrouble {
  private var play: Task<[TroubleLog], any Error>?
  private var served: Set<String> = []

  /// Returns one log per camera.
  func logs(for scenario: String, of rig: Rig) async throws -> [TroubleLog] {
    if served.contains(scenario) { (play, served) = (nil, []) }
    served.insert(scenario)
    let current = play ?? Task { try await TroublePlay.logs(rig) }
    play = current
    return try await current.value
  }
}
