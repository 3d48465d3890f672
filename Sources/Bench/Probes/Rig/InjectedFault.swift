/// A fault injected on purpose, to show that the harness notices it (`bench --fault`).
public enum InjectedFault: Hashable, Sendable, CustomStringConvertible {
  /// The motion source reports 270° for 90°, and 90° for 270°.
  case swapsRotation
  /// The camera reports the opposite of its mirroring.
  case mirrors
  /// Each frame arrives this much later than its timestamp says.
  case delaysFrames(Duration)
  /// Every tenth frame has the picture of the frame before.
  case repeatsFrames
  /// After an interruption, the camera never delivers again.
  case neverResumes
  /// The photo path enlarges pictures that are smaller than the requested size.
  case upscalesPhotos
  /// Photos of more than 1024 pixels are as large as possible, regardless of the ceiling.
  case exceedsCeiling
  /// Photos are uniformly grey, at the right size.
  case blanksPhotos
  /// Photos have half the proper resolution: they are scaled to half the size and back.
  case softensPhotos
  /// Photos have Cb and Cr exchanged.
  case swapsChroma
  /// The preview has red and blue exchanged.
  case swapsRedAndBlue
  /// Half of the preview's pictures, without a pattern, are three tenths of a frame interval late.
  case jitters
  /// The preview freezes once for half a second. During a scan of books, it freezes for good a second before the end.
  case freezes
  /// Every tenth picture is drawn into the memory that the display is showing.
  case tears
  /// The output for analysis passes on each picture twice.
  case feedsTwice
  /// The first format that a camera offers is taken for the only one.
  case takesFirstFormat
  /// The camera stays open and streaming in the background.
  case staysOpen
  /// Returning from the background takes 600 ms longer.
  case slowsForeground
  /// The surface turns the pictures of a preview that is locked to an angle, so that they follow the device.
  case ignoresLock
  /// Each opening of the camera takes this much longer; for the viewfinder, its start.
  case slowsOpening(milliseconds: Int)
  /// The preview uses this much more of its own processor time, picture by picture.
  case slowsPreview(percent: Int)
  /// The photo path uses this much more of its own processor time, photo by photo.
  case slowsPhotos(percent: Int)
  /// The recogniser uses this much more of its own processor time, photo by photo.
  case slowsRecognition(percent: Int)
  /// Each opening of the camera but the first takes this much longer, so the session recovers that much later from whatever ended the stream.
  case slowsRecovery(milliseconds: Int)
  /// The client of the backend violates the protocol.
  case mistakesProtocol(ProtocolMistake)
  /// The backend misreads books.
  case misreadsBooks(Misreading)
  /// A sensitivity that is set alone moves twice as far as requested, in stops.
  case exaggeratesISO
  /// The first values set on an opened camera are read back and reported with each frame, but not applied.
  case forgetsControls
  /// A locked lens continues to search for the focus.
  case wandersInFocus
  /// Each frame states a lens zoom of 1.
  case mistellsZoom
  /// The motors of a dock do not tilt.
  case losesTilt
  /// The motors of a dock continue to turn when they are ordered to stop.
  case missesStops
  /// Every tenth frame is missing in a recording, and is not counted as lost.
  case losesRecordedFrames
  /// The times in a recording are those of a camera with constant intervals.
  case restampsRecording
  /// The angle of a recording is a quarter-turn too large.
  case turnsRecording
  /// A recording takes a tenth of a second for each frame.
  case slowsRecording
  /// The latest ten frames of a recording are held back in memory.
  case holdsRecording

  private static let plain: [(name: String, fault: InjectedFault)] = [
    ("swap-rotation", .swapsRotation), ("mirror", .mirrors), ("delay", .delaysFrames(.milliseconds(40))),
    ("repeat", .repeatsFrames), ("never-resume", .neverResumes), ("upscale", .upscalesPhotos),
    ("oversize", .exceedsCeiling), ("blank", .blanksPhotos), ("soft", .softensPhotos),
    ("swap-chroma", .swapsChroma), ("swap-red-blue", .swapsRedAndBlue), ("jitter", .jitters),
    ("freeze", .freezes), ("tear", .tears), ("eager-analysis", .feedsTwice),
    ("first-format", .takesFirstFormat),
    ("stay-open", .staysOpen), ("slow-foreground", .slowsForeground), ("ignore-lock", .ignoresLock),
    ("exaggerate-iso", .exaggeratesISO), ("forget-controls", .forgetsControls),
    ("wander-focus", .wandersInFocus), ("mistell-zoom", .mistellsZoom),
    ("lose-tilt", .losesTilt), ("miss-stop", .missesStops),
    ("lossy-recording", .losesRecordedFrames), ("restamped-recording", .restampsRecording),
    ("sideways-recording", .turnsRecording), ("slow-recording", .slowsRecording),
    ("held-recording", .holdsRecording),
  ]

  /// The names for `--fault`.
  public static let names =
    plain.map(\.name) + [
      "slow-open=MILLISECONDS", "slow-recovery=MILLISECONDS", "slow-preview=PERCENT", "slow-photo=PERCENT",
      "slow-recognition=PERCENT",
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
    case .slowsRecognition(let percent): "slow-recognition=\(percent)"
    case .mistakesProtocol(let mistake): mistake.rawValue
    case .misreadsBooks(let misreading): misreading.rawValue
    default: Self.plain.first { $0.fault == self }?.name ?? ""
    }
  }
}

extension InjectedFault {
  /// Additional time for each opening of the camera.
  package var opening: Duration {
    if case .slowsOpening(let milliseconds) = self { .milliseconds(milliseconds) } else { .zero }
  }

  /// Additional time for each opening of the camera after the first.
  package var reopening: Duration {
    if case .slowsRecovery(let milliseconds) = self { .milliseconds(milliseconds) } else { .zero }
  }

  /// Additional processor time of the recogniser, in percent of its own for each photo.
  package var recognition: Int {
    if case .slowsRecognition(let percent) = self { percent } else { 0 }
  }

  /// The mistake of the backend's client. Nil if it makes none.
  package var mistake: ProtocolMistake? {
    if case .mistakesProtocol(let mistake) = self { mistake } else { nil }
  }

  /// The way in which the backend misreads books. Nil if it does not.
  package var misreading: Misreading? {
    if case .misreadsBooks(let misreading) = self { misreading } else { nil }
  }

  /// The delay of `slowsForeground`: more than the seed's limit, 500 ms.
  package static let lateForeground = Duration.milliseconds(600)
  /// The pictures that `freezes` drops: half a second of them at 30 per second, after more than three seconds.
  static let frozenPictures = 100..<115
}
