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
  /// Photos are one grey all over, of the right size.
  case blanksPhotos
  /// Photos have half the resolution they should have: made half as large, and large again.
  case softensPhotos
  /// Photos have Cb for Cr, and Cr for Cb.
  case swapsChroma
  /// The preview shows red as blue, and blue as red.
  case swapsRedAndBlue
  /// Every other picture of the preview, without a pattern, is three tenths of a frame interval late.
  case jitters
  /// The preview takes this share longer from the scene to the surface.
  case slowsPreview(percent: Int)
  /// The client of the backend gets something of the protocol wrong.
  case mistakesProtocol(ProtocolMistake)
  /// The backend reads books wrongly.
  case misreadsBooks(Misreading)

  /// The names that `--fault` takes.
  public static let names =
    [
      "swap-rotation", "mirror", "delay", "repeat", "never-resume", "upscale", "blank", "soft", "swap-chroma",
      "swap-red-blue", "jitter", "slow-preview=PERCENT",
    ] + ProtocolMistake.allCases.map(\.rawValue) + Misreading.allCases.map(\.rawValue)

  public init?(name: String) {
    switch name {
    case "swap-rotation": self = .swapsRotation
    case "mirror": self = .mirrors
    case "delay": self = .delaysFrames(.milliseconds(40))
    case "repeat": self = .repeatsFrames
    case "never-resume": self = .neverResumes
    case "upscale": self = .upscalesPhotos
    case "blank": self = .blanksPhotos
    case "soft": self = .softensPhotos
    case "swap-chroma": self = .swapsChroma
    case "swap-red-blue": self = .swapsRedAndBlue
    case "jitter": self = .jitters
    default:
      if let mistake = ProtocolMistake(rawValue: name) {
        self = .mistakesProtocol(mistake)
        return
      }
      if let misreading = Misreading(rawValue: name) {
        self = .misreadsBooks(misreading)
        return
      }
      let parts = name.split(separator: "=")
      guard parts.count == 2, parts[0] == "slow-preview", let percent = Int(parts[1]),
        (1...1000).contains(percent)
      else { return nil }
      self = .slowsPreview(percent: percent)
    }
  }

  public var description: String {
    switch self {
    case .swapsRotation: "swap-rotation"
    case .mirrors: "mirror"
    case .delaysFrames: "delay"
    case .repeatsFrames: "repeat"
    case .neverResumes: "never-resume"
    case .upscalesPhotos: "upscale"
    case .blanksPhotos: "blank"
    case .softensPhotos: "soft"
    case .swapsChroma: "swap-chroma"
    case .swapsRedAndBlue: "swap-red-blue"
    case .jitters: "jitter"
    case .slowsPreview(let percent): "slow-preview=\(percent)"
    case .mistakesProtocol(let mistake): mistake.rawValue
    case .misreadsBooks(let misreading): misreading.rawValue
    }
  }
}
