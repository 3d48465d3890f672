import Capture

extension SessionState {
  /// The reason why no photo can be taken now, as a clause for a person: the cause of an interruption with its remedy, or the state.
  var whyNoPhotos: String {
    guard case .interrupted(let reason) = self, !reason.message.isEmpty else {
      return "the session is \(self)\(photoRemedy)"
    }
    let sentence = reason.message
    return sentence.prefix(1).lowercased() + sentence.dropFirst().trimmingSuffix(".")
  }

  /// The remedy in a state without pictures, as a clause after a semicolon. Empty if the state names it, or
  /// ends by itself.
  private var photoRemedy: String {
    switch self {
    case .idle, .warm, .starting, .loading: "; wait until pictures come"
    case .paused: "; resume it first"
    case .ended: "; start it again"
    case .running, .interrupted, .failed: ""
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self
  }
}
