import Capture

extension SessionState {
  /// The reason why no photo can be taken now, as a clause for a person: the cause of an interruption with its remedy, or the state.
  var whyNoPhotos: String {
    guard case .interrupted(let reason) = self, !reason.message.isEmpty else {
      return "the session is \(self)"
    }
    let sentence = reason.message
    return sentence.prefix(1).lowercased() + sentence.dropFirst().trimmingSuffix(".")
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ suffix: String) -> Substring {
    hasSuffix(suffix) ? dropLast(suffix.count) : self
  }
}
