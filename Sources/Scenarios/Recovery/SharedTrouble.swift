/// One play of the recording with trouble in it serves every scenario that looks at it: each looks at another part.
public actor SharedTrouble {
  private var play: Task<TroubleLog, any Error>?

  public init() {}

  func log(of rig: Rig) async throws -> TroubleLog {
    if let play { return try await play.value }
    let play = Task { try await TroublePlay(rig).run() }
    self.play = play
    return try await play.value
  }
}
