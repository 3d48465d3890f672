import Capture

extension SessionState {
  /// Why there is no photo now, as a clause for a person: what interrupts it and what to do, or the state.
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
