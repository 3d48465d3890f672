import Glibc

/// Automatic exposure, white balance and focus of a simulated camera, from what the last frame told.
struct SensorAutomatics {
  /// What a frame told of the scene.
  struct Reading {
    /// What the meter made of it: the mean of its levels by logarithms.
    var level: Double
    /// What it was exposed with.
    var settings: SensorExposure
    /// The colour of the light.
    var temperature: Double
    var tint: Double
    /// The dioptres at which what is looked at would be sharp.
    var vergence: Double
  }

  private let model: SensorModel
  private(set) var duration: Double
  private(set) var iso: Double
  private(set) var temperature = 5000.0
  private(set) var tint = 0.0
  /// The frame is so far from the exposure that is aimed at, in EV; above zero it is too bright.
  private(set) var offset = 0.0
  private var lightValue = 10.0

  init(_ model: SensorModel) {
    self.model = model
    duration = 0.01
    iso = model.isos.lowerBound
  }

  /// Measures, whoever exposes.
  mutating func meter(_ reading: Reading, bias: Double) {
    let floor = PhotographicExposure.meteredLevel / 1024
    offset = log2(max(reading.level, floor) / PhotographicExposure.meteredLevel) - bias
  }

  /// Goes on from shutter time and speed that were set by hand.
  mutating func follow(duration: Double, iso: Double) {
    self.duration = duration
    self.iso = iso
    lightValue = PhotographicExposure.lightValue(duration: duration, iso: iso, fNumber: model.fNumber)
  }

  /// One step towards the right exposure. The light value is reckoned from what the frame itself was exposed with, so that it does not
  /// matter how late that frame is.
  mutating func expose(_ reading: Reading, longest: Double) {
    let exposed = PhotographicExposure.lightValue(
      duration: reading.settings.duration, iso: reading.settings.iso, fNumber: model.fNumber)
    lightValue += model.convergence * (exposed + offset - lightValue)
    let product = PhotographicExposure.product(lightValue: lightValue, fNumber: model.fNumber)
    duration = min(max(product / model.isos.lowerBound, model.durations.lowerBound), longest)
    iso = min(max(product / duration, model.isos.lowerBound), model.isos.upperBound)
  }

  /// One step towards white; temperatures by their reciprocals, as the eye sees them.
  mutating func balance(_ reading: Reading) {
    let wanted = min(max(reading.temperature, model.temperatures.lowerBound), model.temperatures.upperBound)
    let reciprocal = 1 / temperature + model.convergence * (1 / wanted - 1 / temperature)
    temperature = 1 / reciprocal
    tint += model.convergence * (reading.tint - tint)
  }
}

/// The motor of a simulated lens, and what looks for the focus.
struct SensorFocus {
  /// `idle`, `busy`, `reached`, `failed`: as `focus-status` names them.
  private(set) var status = "idle"
  private(set) var position = 1.0
  private var searched = 0.0
  /// No frame was read since the search began: what is known is of another place.
  private var isBlind = false
  private let model: SensorModel
  /// Below this mean level nothing can be focused.
  static let darkness = PhotographicExposure.meteredLevel / 64
  /// After so long the search is given up, in seconds.
  static let patience = 1.0

  init(_ model: SensorModel) { self.model = model }

  /// The lens is still moving, or looking where to.
  var isBusy: Bool { status == "busy" }

  /// A search begins.
  mutating func search() { (status, searched, isBlind) = ("busy", 0, true) }

  /// A frame was read.
  mutating func see() { isBlind = false }

  /// Moves on by `seconds`.
  /// - Parameter wanted: where by hand it is to go; nil to look for the focus.
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
