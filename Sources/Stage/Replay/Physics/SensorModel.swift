public import Capture

/// The model of a simulated camera: lens, sensor, motors, and the delay and faults of its controls.
public struct SensorModel: Hashable, Sendable {
  /// The f-number of the lens.
  public var fNumber = 2.0
  /// Focal length of the lens at zoom 1, in mm.
  public var focalLength = 4.5
  /// Width of the sensor, in mm.
  public var sensorWidth = 5.6
  /// The nearest focus of the lens, in dioptres (1/m), at lens position 0. Position 1 is infinity.
  public var nearest = 10.0
  /// Speed of the lens, in whole ranges per second.
  public var lensSpeed = 4.0
  /// Range of the optical zoom; `1...1` for a fixed focal length, which has no zoom control.
  public var zoomRange = 1.0...3.0
  /// Speed of the zoom, in doublings per second.
  public var zoomSpeed = 60.0
  /// Exposure times in seconds, limited by the frame interval.
  public var durations = 0.0001...0.5
  /// Step of exposure times, in seconds: 100 µs, V4L2's unit.
  public var durationStep = 0.0001
  /// The ISO sensitivities at which the sensor can be read.
  public var isos = 50.0...3200.0
  /// Number of electrons that fill a pixel at the lowest ISO sensitivity.
  public var fullWell = 10_000.0
  /// Read noise of a pixel, in electrons.
  public var readNoise = 3.0
  /// Readout time from the first row to the last, in seconds.
  public var readout = 0.010
  /// Colour temperatures of the white balance, in kelvin.
  public var temperatures = 2500.0...10_000.0
  /// Range of the exposure bias, in EV.
  public var biases = -2.0...2.0
  /// Light value of the torch on the scene at full power. Nil for a camera without a torch.
  public var torchLight: Double? = 5.0
  /// Number of frames from an exposure or gain command to the first frame with the new value. 1 is the very next.
  public var delay = 2
  /// The share of the way to their targets that the automatics move with each frame, 0 to 1.
  public var convergence = 0.4
  /// Whether each frame carries the settings of its exposure, as in a sensor's embedded data. A webcam's frames do not.
  public var tellsSettings = true
  /// Whether the camera reports controls that changed by themselves. Otherwise they must be read.
  public var tellsChanges = true
  /// Whether the camera reports the frame's distance from the exposure at which its automatic aims.
  public var tellsTargetOffset = true
  /// Whether the camera reports that the focus is reached. A webcam does not.
  public var tellsFocusStatus = true
  /// Faults of the controls.
  public var lies: [CameraControl: SensorLie] = [:]
  /// Seed of the noise.
  public var seed: UInt64 = 1

  /// Creates the main camera of a phone: without faults, with the noise of pixels of 10 000 electrons.
  public init() {}
}

/// A fault of a control, as known from drivers.
///
/// This enumeration is closed.
public enum SensorLie: Hashable, Sendable {
  /// The value is accepted without effect; the old one is read back.
  case ignores
  /// The value is accepted and read back, without effect.
  case pretends
  /// The value is limited to this range, which is smaller than the reported one.
  case clamps(ClosedRange<Double>)
  /// The value takes effect this many frames later; until then the old one is read back.
  case delays(Int)
  /// At each start of the stream, the control falls back to this value.
  case resets(CameraControlValue)
  /// The value is refused with an input/output error.
  case fails
}
