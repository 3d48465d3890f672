/// Something broken on purpose, to show that the harness notices (`bench --fault`).
public enum InjectedFault: Hashable, Sendable, CustomStringConvertible {
  /// The motion source says 270° where it is 90°, and the other way round.
  case swapsRotation
  /// The camera claims the opposite of what is true of its mirroring.
  case mirrors
  /// Each frame arrives this much later than the camera stamped it.
  case delaysFrames(Duration)
  /// Every tenth frame has the picture of the one before.
  case repeatsFrames
  /// Once interrupted, the camera never delivers again.
  case neverResumes
  /// The photo path enlarges pictures that are smaller than the wanted size.
  case upscalesPhotos
  /// Photos of more than 1024 pixels are as large as they can be, whatever the ceiling.
  case exceedsCeiling
  /// Photos are one grey all over, of the right size.
  case blanksPhotos
  /// Photos have half the resolution they should have: made half as large, and large again.
  case softensPhotos
  /// Photos have Cb for Cr, and Cr for Cb.
  case swapsChroma
  /// The preview shows red as blue, and blue as red.
  case swapsRedAndBlue
  /// Pictures are shown, taken and recorded without the look that was asked for.
  case ignoresLook
  /// Every other picture of the preview, without a pattern, is three tenths of a frame interval late.
  case jitters
  /// The preview stands still for half a second, once; while books are scanned, from the sixth second on for good.
  case freezes
  /// Every tenth picture is drawn into the memory that the display shows.
  case tears
  /// Analysis is handed twice as many pictures as it may have.
  case feedsTwice
  /// The first format that a camera offers is taken for all of them.
  case takesFirstFormat
  /// A press of the shutter that was refused gets the photo before it.
  case repeatsPhotos
  /// Going to the background is told as another program's interruption would be.
  case tellsBackground
  /// The camera stays open and streaming in the background.
  case staysOpen
  /// Coming back from the background takes so much longer.
  case slowsForeground
  /// A preview that is locked to one angle follows the device all the same.
  case ignoresLock
  /// Each opening of the camera takes so much longer; of the viewfinder, its start.
  case slowsOpening(milliseconds: Int)
  /// The preview takes this much more of its own processor time, picture by picture.
  case slowsPreview(percent: Int)
  /// The photo path takes this much more of its own processor time, photo by photo.
  case slowsPhotos(percent: Int)
  /// A look takes this much more of its own processor time, picture by picture.
  case slowsLooks(percent: Int)
  /// The recogniser takes this much more of its own processor time, photo by photo.
  case slowsRecognition(percent: Int)
  /// Each opening of the camera but the first takes so much longer: the session comes back that much later from whatever ended the stream.
  case slowsRecovery(milliseconds: Int)
  /// The client of the backend gets something of the protocol wrong.
  case mistakesProtocol(ProtocolMistake)
  /// The backend reads books wrongly.
  case misreadsBooks(Misreading)
  /// A sensitivity that is set alone moves twice as far as was asked, in stops.
  case exaggeratesISO
  /// What is set first on a camera that was opened is read back, told with each frame, and not done.
  case forgetsControls
  /// A lens that is locked goes on looking for the focus.
  case wandersInFocus
  /// Each frame says that the lens does not magnify.
  case mistellsZoom
  /// A tap on a preview that is mirrored is taken for one on a preview that is not.
  case mistakesMirror
  /// The motors of a dock do not tilt when they are told to pan too.
  case losesTilt
  /// The motors of a dock turn on when they are told to stand still.
  case missesStops
  /// A subject that is hidden is never taken for lost.
  case missesLoss
  /// Each tenth frame is missing in a recording, and counted nowhere.
  case losesRecordedFrames
  /// The times in a recording are those of a steady camera.
  case restampsRecording
  /// A recording says a quarter-turn more than it should.
  case turnsRecording
  /// A recording takes a tenth of a second for each frame.
  case slowsRecording
  /// The latest ten frames of a recording are kept in memory.
  case holdsRecording

  private static let plain: [(name: String, fault: InjectedFault)] = [
    ("swap-rotation", .swapsRotation), ("mirror", .mirrors), ("delay", .delaysFrames(.milliseconds(40))),
    ("repeat", .repeatsFrames), ("never-resume", .neverResumes), ("upscale", .upscalesPhotos),
    ("oversize", .exceedsCeiling), ("blank", .blanksPhotos), ("soft", .softensPhotos),
    ("swap-chroma", .swapsChroma), ("swap-red-blue", .swapsRedAndBlue), ("jitter", .jitters),
    ("freeze", .freezes), ("tear", .tears), ("eager-analysis", .feedsTwice),
    ("first-format", .takesFirstFormat),
    ("stale-photo", .repeatsPhotos), ("loud-background", .tellsBackground), ("stay-open", .staysOpen),
    ("slow-foreground", .slowsForeground), ("ignore-lock", .ignoresLock), ("ignore-look", .ignoresLook),
    ("exaggerate-iso", .exaggeratesISO), ("forget-controls", .forgetsControls),
    ("wander-focus", .wandersInFocus), ("mistell-zoom", .mistellsZoom), ("unmirror-tap", .mistakesMirror),
    ("lose-tilt", .losesTilt), ("miss-stop", .missesStops), ("miss-loss", .missesLoss),
    ("lossy-recording", .losesRecordedFrames), ("restamped-recording", .restampsRecording),
    ("sideways-recording", .turnsRecording), ("slow-recording", .slowsRecording),
    ("held-recording", .holdsRecording),
  ]

  /// The names that `--fault` takes.
  public static let names =
    plain.map(\.name) + [
      "slow-open=MILLISECONDS", "slow-recovery=MILLISECONDS", "slow-preview=PERCENT", "slow-photo=PERCENT",
      "slow-look=PERCENT", "slow-recognition=PERCENT",
    ]
    + ProtocolMistake.allCases.map(\.rawValue) + Misreading.allCases.map(\.rawValue)

  public init?(name: String) {
    if let mistake = ProtocolMistake(rawValue: name) {
      self = .mistakesProtocol(mistake)
      return
    }
    if let misreading = Misreading(rawValue: name) {
      self = .misreadsBooks(misreading)
      return
    }
    if let plain = Self.plain.first(where: { $0.name == name }) {
      self = plain.fault
      return
    }
    let parts = name.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let amount = Int(parts[1]) else { return nil }
    let (isPercent, isTime) = ((1...1000).contains(amount), (1...5000).contains(amount))
    switch parts[0] {
    case "slow-preview" where isPercent: self = .slowsPreview(percent: amount)
    case "slow-photo" where isPercent: self = .slowsPhotos(percent: amount)
    case "slow-look" where isPercent: self = .slowsLooks(percent: amount)
    case "slow-recognition" where isPercent: self = .slowsRecognition(percent: amount)
    case "slow-open" where isTime: self = .slowsOpening(milliseconds: amount)
    case "slow-recovery" where isTime: self = .slowsRecovery(milliseconds: amount)
    default: return nil
    }
  }

  public var description: String {
    switch self {
    case .delaysFrames: "delay"
    case .slowsOpening(let milliseconds): "slow-open=\(milliseconds)"
    case .slowsRecovery(let milliseconds): "slow-recovery=\(milliseconds)"
    case .slowsPreview(let percent): "slow-preview=\(percent)"
    case .slowsPhotos(let percent): "slow-photo=\(percent)"
    case .slowsLooks(let percent): "slow-look=\(percent)"
    case .slowsRecognition(let percent): "slow-recognition=\(percent)"
    case .mistakesProtocol(let mistake): mistake.rawValue
    case .misreadsBooks(let misreading): misreading.rawValue
    default: Self.plain.first { $0.fault == self }?.name ?? ""
    }
  }
}

extension InjectedFault {
  /// How much longer the camera takes to open.
  package var opening: Duration {
    if case .slowsOpening(let milliseconds) = self { .milliseconds(milliseconds) } else { .zero }
  }

  /// How much longer the camera takes to open once it has been open before.
  package var reopening: Duration {
    if case .slowsRecovery(let milliseconds) = self { .milliseconds(milliseconds) } else { .zero }
  }

  /// How much more of its processor time the recogniser takes, in percent.
  package var recognition: Int {
    if case .slowsRecognition(let percent) = self { percent } else { 0 }
  }

  /// What `slowsForeground` takes: beyond the seed's limit, 500 ms.
  package static let lateForeground = Duration.milliseconds(600)
  /// The pictures that are not shown under `freezes`: half a second of them at 30 a second, after more than three.
  static let frozenPictures = 100..<115
}
