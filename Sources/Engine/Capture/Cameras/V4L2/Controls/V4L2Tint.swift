import Glibc
import Video4Linux

/// Tint on a device that has gains of red and blue but no temperature: both gains are raised for magenta and lowered for green, by half a
/// step of exposure at ±150. Zero is the driver's default for the gains, so a tint means the same whenever it is set. If the default of a gain
/// is unusable, zero is the gain at the time when the device was first queried.
struct V4L2Tint {
  private typealias Gain = (control: Control, range: ControlRange, base: Double)
  private let gains: [Gain]

  /// Nil if the device has a temperature, lacks one of the gains, or reports a gain that cannot be multiplied.
  init?(_ list: ControlList, on device: VideoDevice) {
    guard list[.whiteBalanceTemperature] == nil else { return nil }
    gains = [ControlID.redBalance, .blueBalance].compactMap { id -> Gain? in
      guard let control = list[id], case .integer(let range) = control.kind else { return nil }
      if range.defaultValue > 0, range.defaultValue <= range.maximum {
        return (control, range, Double(range.defaultValue))
      }
      guard case .integer(let value)? = try? device.value(of: control), value > 0 else { return nil }
      return (control, range, Double(value))
    }
    guard gains.count == 2 else { return nil }
  }

  var capability: CameraControlCapability {
    var capability = CameraControlCapability(.tint, -150...150, step: 1)
    capability.origin = .mapped("red-gain, blue-gain")
    capability.defaultValue = .number(0)
    return capability
  }

  func settings(_ tint: Double) -> [(control: Control, value: ControlValue)] {
    let factor = exp2(min(max(tint, -150), 150) / 300)
    return gains.map { gain in
      (gain.control, .integer(gain.range.nearest(to: Int64(min(gain.base * factor, 1e15).rounded()))))
    }
  }

  func value(on device: VideoDevice) -> Double? {
    guard let red = gains.first, case .integer(let value)? = try? device.value(of: red.control), value > 0
    else { return nil }
    return min(max((300 * log2(Double(value) / red.base)).rounded(), -150), 150)
  }
}
