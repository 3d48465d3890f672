public import Capture

/// What a simulated camera is made of: lens, sensor, motors, and how late and how honestly it does what it is asked.
public struct SensorModel: Hashable, Sendable {
  /// The lens's f-number.
  public var fNumber = 2.0
  /// The lens's focal length in mm at zoom 1.
  public var focalLength = 4.5
  /// Width of the sensor in mm.
  public var sensorWidth = 5.6
  /// The nearest that the lens focuses, in dioptres (1/m): lens position 0. Position 1 is infinity.
  public var nearest = 10.0
  /// How fast the lens moves, in whole ranges a second.
  public var lensSpeed = 4.0
  /// What the lens magnifies by itself; `1...1` for a fixed focal length, which has no zoom control.
  public var zoomRange = 1.0...3.0
  /// How fast it zooms, in doublings a second.
  public var zoomSpeed = 60.0
  /// Shutter times in seconds; never longer than a frame.
  public var durations = 0.0001...0.5
  /// Shutter times are multiples of it, in seconds: 100 µs, V4L2's unit.
  public var durationStep = 0.0001
  /// Speeds at which the sensor can be read.
  public var isos = 50.0...3200.0
  /// Electrons that fill a pixel at the least speed.
  public var fullWell = 10_000.0
  /// Noise of reading a pixel, in electrons.
  public var readNoise = 3.0
  /// From the first row to the last, in seconds.
  public var readout = 0.010
  /// White balance, in kelvin.
  public var temperatures = 2500.0...10_000.0
  /// Correction of the automatic exposure, in EV.
  public var biases = -2.0...2.0
  /// Light value of the torch at full power, on the scene; nil for a camera without a torch.
  public var torchLight: Double? = 5.0
  /// Frames from a command to the first frame that it shows in: shutter and gain. 1 is the very next.
  public var delay = 2
  /// How far each frame goes towards what the automatics want, 0 to 1.
  public var convergence = 0.4
  /// Each frame tells what it was exposed with, as a sensor's embedded data does; a webcam's does not.
  public var tellsSettings = true
  /// It says that a control changed by itself; otherwise it must be asked.
  public var tellsChanges = true
  /// It tells how far the picture is from the exposure that it aims at.
  public var tellsTargetOffset = true
  /// It tells whether the focus is reached; a webcam does not.
  public var tellsFocusStatus = true
  /// What it is asked and does not do, by control.
  public var lies: [CameraControl: SensorLie] = [:]
  /// The noise is the same for the same seed.
  public var seed: UInt64 = 1

  /// A phone's main camera: honest, and noisy as pixels of 10 000 electrons are.
  public init() {}
}

/// How a control does not do what it says: the ways that drivers are known for.
///
/// This enumeration is closed.
public enum SensorLie: Hashable, Sendable {
  /// The value is accepted, and nothing changes; what it had is read back.
  case ignores
  /// The value is accepted and read back, and nothing changes.
  case pretends
  /// It goes only so far, though it tells of more.
  case clamps(ClosedRange<Double>)
  /// It takes so many frames more, and until then what it had is read back.
  case delays(Int)
  /// At each start of the stream it falls back to this.
  case resets(CameraControlValue)
  /// It is refused with an input/output error.
  case fails
}
