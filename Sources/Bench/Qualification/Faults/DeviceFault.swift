/// A fault injected into the driver, to show that the right rule notices it (`qualify --fault`).
public enum DeviceFault: String, Sendable, CaseIterable {
  case identityBlank = "identity-blank"
  case sizeNotGiven = "size-not-given"
  case formatRefused = "format-refused"
  case shortBuffers = "short-buffers"
  case corruptJPEG = "corrupt-jpeg"
  case wrongSizePicture = "wrong-size-picture"
  case oneBuffer = "one-buffer"
  case noFrames = "no-frames"
  case controlNotObeyed = "control-not-obeyed"
  case controlWithoutEffect = "control-without-effect"
  case controlDefaultOutside = "control-default-outside"
  case controlTakesOutside = "control-takes-outside"
  case intervalIgnored = "interval-ignored"
  case jitter
  case futureStamps = "future-stamps"
  case backwardStamps = "backward-stamps"
  case stampsWithoutClock = "stamps-without-clock"
  case sequenceRepeats = "sequence-repeats"
  case sequenceGaps = "sequence-gaps"
  case slowStart = "slow-start"
  case slowReturn = "slow-return"
  case mirroredMode = "mirrored-mode"
  case noBusy = "no-busy"
  case forgetsState = "forgets-state"

  /// The only rule that must fail.
  public var rule: String {
    switch self {
    case .identityBlank: "qualify.identity"
    case .sizeNotGiven, .formatRefused, .shortBuffers, .corruptJPEG, .wrongSizePicture, .oneBuffer, .noFrames:
      "qualify.formats"
    case .controlNotObeyed, .controlWithoutEffect, .controlDefaultOutside, .controlTakesOutside:
      "qualify.controls"
    case .intervalIgnored, .jitter: "qualify.pace"
    case .futureStamps, .backwardStamps, .stampsWithoutClock, .sequenceRepeats, .sequenceGaps:
      "qualify.stamps"
    case .slowStart: "qualify.start"
    case .slowReturn: "recovery.foreground"
    case .mirroredMode: "qualify.rotation"
    case .noBusy: "qualify.sharing"
    case .forgetsState: "qualify.restored"
    }
  }

  /// The fault, as a clause.
  public var summary: String {
    switch self {
    case .identityBlank: "the driver leaves name and bus empty"
    case .sizeNotGiven: "when one mode is set, the driver sets another size"
    case .formatRefused: "one mode is listed, but refused when it is set"
    case .shortBuffers: "the buffers of one mode hold half a picture"
    case .corruptJPEG: "the pictures of one JPEG mode have no beginning"
    case .wrongSizePicture: "the pictures of one JPEG mode have half the height that was set"
    case .oneBuffer: "in one mode only one buffer is granted, however many are requested"
    case .noFrames: "one mode streams, but never delivers a frame"
    case .controlNotObeyed: "one control accepts every value, but keeps its own"
    case .controlWithoutEffect: "one control reads back what was written, but does nothing"
    case .controlDefaultOutside: "the default of one control is beyond its maximum"
    case .controlTakesOutside: "one control accepts values beyond its range"
    case .intervalIgnored: "every interval is accepted, but frames come at half the rate"
    case .jitter: "every other frame is late by seven tenths of an interval"
    case .futureStamps: "stamps lie 100 ms ahead"
    case .backwardStamps: "every fourth stamp lies before the one before it"
    case .stampsWithoutClock: "stamps are on a clock that the driver does not name"
    case .sequenceRepeats: "every frame has the number 0"
    case .sequenceGaps: "every fifth frame the number jumps by three"
    case .slowStart: "one mode takes two seconds more to its first frame"
    case .slowReturn: "a stream that starts within 200 ms of the last takes 700 ms more"
    case .mirroredMode: "the pictures of one raw mode are mirrored"
    case .noBusy: "a second client is not refused while the first streams"
    case .forgetsState: "the frame interval is forgotten when the device is closed"
    }
  }

  /// The kind of mode in which the fault can be shown.
  enum Victim { case none, any, jpeg, raw }

  var victim: Victim {
    switch self {
    case .sizeNotGiven, .formatRefused, .oneBuffer, .slowStart, .noFrames, .shortBuffers: .any
    case .corruptJPEG, .wrongSizePicture: .jpeg
    case .mirroredMode: .raw
    default: .none
    }
  }
}
