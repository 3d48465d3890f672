import Console

/// A requirement of some commands, and whether this machine meets it.
struct Diagnosis: Encodable, Equatable {
  enum State: String, Encodable {
    case ok
    /// The commands run, but do less.
    case limited
    /// The commands cannot run.
    case missing
  }

  /// The subject, such as `recogniser`.
  var subject: String
  var state: State
  /// The state that was found, or the flaw.
  var detail: String
  /// The remedy; nil if all is well.
  var remedy: String?
  /// The commands that need it, such as `corpus import`.
  var commands: [String]
  /// Whether a camera is missing, which may be intended on this machine.
  var isAboutCameras = false

  private enum CodingKeys: String, CodingKey { case subject, state, detail, remedy, commands }

  static func ok(_ subject: String, _ detail: String, for commands: [String]) -> Diagnosis {
    Diagnosis(subject: subject, state: .ok, detail: detail, commands: commands)
  }

  static func limited(_ subject: String, _ detail: String, remedy: String, for commands: [String])
    -> Diagnosis
  {
    Diagnosis(subject: subject, state: .limited, detail: detail, remedy: remedy, commands: commands)
  }

  static func missing(_ subject: String, _ detail: String, remedy: String, for commands: [String])
    -> Diagnosis
  {
    Diagnosis(subject: subject, state: .missing, detail: detail, remedy: remedy, commands: commands)
  }

  /// The diagnosis as one line for a person.
  var line: String {
    let what = [detail, remedy].compactMap { $0 }.joined(separator: "; ")
    return "\(state.rawValue.padded(to: 7))  \(subject): \(what) [\(commands.joined(separator: ", "))]"
  }
}
