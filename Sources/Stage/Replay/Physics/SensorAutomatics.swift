import Glibc

/// Automatic exposure, white balance and focus of a simulated camera, controlled by the last frame.
struct SensorAutomatics {
  /// Data from a frame about the scene.
  struct Reading {
    /// The metered level: the geometric mean of the frame's levels.
    var level: Double
    /// The settings of the frame's exposure.
    var settings: SensorExposure
    /// The colour temperature of the light, in kelvin.
    var temperature: Double
    /// The tint of the light, in 1/3000 of the CIE 1960 diagram; positive is green.
    var tint: Double
    /// The vergence at which the subject in focus would be sharp, in dioptres.
    var vergence: Double
  }

  private let model: SensorModel
  private(set) var duration: Double
  private(set) var iso: Double
  private(set) var temperature = 5000.0
  private(set) var tint = 0.0
  /// The frame's distance from the exposure at which the camera's automatic aims, in EV; positive if it is too bright.
  private(set) var offset = 0.0
  private var lightValue = 10.0

  init(_ model: SensorModel) {
    self.model = model
    duration = 0.01
    iso = model.isos.lowerBound
  }

  /// Measures the offset, in automatic and in manual exposure.
  mutating func meter(_ reading: Reading, bias: Double) {
    let floor = PhotographicExposure.meteredLevel / 1024
    offset = log2(max(reading.level, floor) / PhotographicExposure.meteredLevel) - bias
  }

  /// Continues from an exposure time and an ISO sensitivity that were set manually.
  mutating func follow(duration: Double, iso: Double) {
    self.duration = duration
    self.iso = iso
    lightValue = PhotographicExposure.lightValue(duration: duration, iso: iso, fNumber: model.fNumber)
  }

  /// Moves one step towards the right exposure. The light value is computed from the settings of the frame itself, so that the frame's delay does not
  /// matter.
  mutating func expose(_ reading: Reading, longest: Double) {
    let exposed = PhotographicExposure.lightValue(
      duration: reading.settings.duration, iso: reading.settings.iso, fNumber: model.fNumber)
    lightValue += model.convergence * (exposed + offset - lightValue)
    let product = PhotographicExposure.product(lightValue: lightValue, fNumber: model.fNumber)
    duration = min(max(product / model.isos.lowerBound, model.durations.lowerBound), longest)
    iso = min(max(product / duration, model.isos.lowerBound), model.isos.upperBound)
  }

  /// Moves one step towards neutral white. Temperatures are interpolated by their reciprocals, as the eye perceives them.
  mutating func balance(_ reading: Reading) {
    let wanted = min(max(reading.temperature, model.temperatures.lowerBound), model.temperatures.upperBound)
    let reciprocal = 1 / temperature + model.convergence * (1 / wanted - 1 / temperature)
    temperature = 1 / reciprocal
    tint += model.convergence * (reading.tint - tint)
  }
}

/// The motor of a simulated lens, with its autofocus.
struct SensorFocus {
  /// The status in the words of `focus-status`: `idle`, `busy`, `reached`, `failed`.
  private(set) var status = "idle"
  private(set) var position = 1.0
  private var searched = 0.0
  /// Whether no frame was read since the search began, so that the last reading may be of another focus point.
  private var isBlind = false
  private let model: SensorModel
  /// Below this mean level, focusing is impossible.
  static let darkness = PhotographicExposure.meteredLevel / 64
  /// Time after which the search is given up, in seconds.
  static let patience = 1.0

  init(_ model: SensorModel) { self.model = model }

  /// Whether the lens is still moving or searching.
  var isBusy: Bool { status == "busy" }

  mutating func search() { (status, searched, isBlind) = ("busy", 0, true) }

  /// Notes that a frame was read.
  mutating func see() { isBlind = false }

  /// Advances by `seconds`.
  /// - Parameters:
  ///   - wanted: the target position in the mode `locked`.
  ///   - reading: the data of the last frame, from which the modes other than `locked` find the position.
  mutating func move(_ seconds: Double, mode: String, wanted: Double, reading: SensorAutomatics.Reading?) {
    guard mode != "locked" else {
      approach(wanted, seconds)
      if status == "busy" { status = "idle" }
      return
    }
    guard let reading, !isBlind, status == "busy" || mode == "continuous" else { return }
    let sharp = min(max(1 - reading.vergence / model.nearest, 0), 1)
    guard reading.level >= Self.darkness else { return giveUp(after: seconds) }
    approach(sharp, seconds)
    status = abs(sharp - position) < 1e-6 ? "reached" : "busy"
  }

  private mutating func giveUp(after seconds: Double) {
    searched += seconds
    if status == "busy", searched >= Self.patience { status = "failed" }
  }

  private mutating func approach(_ goal: Double, _ seconds: Double) {
    let most = model.lensSpeed * seconds
    position += min(max(goal - position, -most), most)
  }
}
