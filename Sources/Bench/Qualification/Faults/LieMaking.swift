import Harness
import Video4Linux

extension DeviceFault {
  /// Returns a kernel that changes the driver's answers by this fault, and passes everything else to `base`.
  /// - Throws: `Unsupported` if the camera has nothing to show the fault on.
  func kernel(around base: any Kernel, plan: CameraPlan, controls: ControlList) throws -> any Kernel {
    LyingKernel(base: base, lie: try lie(plan, controls))
  }

  private func lie(_ plan: CameraPlan, _ controls: ControlList) throws -> any DriverLie {
    switch self {
    case .identityBlank: return BlankIdentity()
    case .sizeNotGiven:
      let victim = try mode(of: plan)
      return SizeNotGiven(victim: victim, instead: try otherSize(than: victim, plan))
    case .formatRefused: return FormatRefused(victim: try mode(of: plan))
    case .oneBuffer: return OneBuffer(victim: try mode(of: plan))
    case .shortBuffers: return ShortBuffers(victim: try mode(of: plan))
    case .corruptJPEG: return CorruptJPEG(victim: try mode(of: plan))
    case .wrongSizePicture: return WrongSizePicture(victim: try mode(of: plan))
    case .mirroredMode: return MirroredMode(victim: try mode(of: plan))
    case .noFrames: return LateFirstFrame(victim: try mode(of: plan), delay: .max)
    case .slowStart: return LateFirstFrame(victim: try mode(of: plan), delay: 2_000_000_000)
    case .slowReturn: return SlowReturn(victim: plan.light)
    case .jitter: return JitteryPace()
    case .intervalIgnored, .futureStamps, .backwardStamps, .stampsWithoutClock, .sequenceRepeats,
      .sequenceGaps:
      return StampLie(self)
    case .controlNotObeyed, .controlWithoutEffect, .controlDefaultOutside, .controlTakesOutside:
      let (control, range) = try rangedControl(of: controls)
      return ControlLie(self, victim: control, range: range)
    case .noBusy: return NoBusy()
    case .forgetsState: return ForgetsState()
    }
  }

  /// Returns a mode that only the survey uses, so that no other rule meets the fault.
  private func mode(of plan: CameraPlan) throws -> CameraMode {
    let spare = plan.streamed.filter { mode in
      !mode.hasSamePicture(as: plan.main) && !mode.hasSamePicture(as: plan.light)
        && !(mode.fourCC == plan.claims.current.fourCC && mode.size == plan.claims.current.size)
    }
    let fitting = spare.filter { mode in
      switch victim {
      case .jpeg: mode.fourCC == .mjpeg || mode.fourCC == .jpeg
      case .raw: MirroredMode.formats.contains(mode.fourCC)
      case .any, .none: true
      }
    }
    guard let mode = fitting.first else {
      throw Unsupported(
        "\(rawValue) needs a mode beside those that photos and measurements use, "
          + "and the camera has none that fits; choose another fault or camera"
      )
    }
    return mode
  }

  private func otherSize(than mode: CameraMode, _ plan: CameraPlan) throws -> FrameSize {
    let sizes = plan.claims.formats.first { $0.description.fourCC == mode.fourCC }?.sizes ?? []
    guard let other = sizes.first(where: { $0 != mode.size }) else {
      throw Unsupported("\(rawValue) needs a format with two sizes; choose another fault or camera")
    }
    return other
  }

  /// Returns brightness, whose effect is visible, or else the first control with a range.
  private func rangedControl(of controls: ControlList) throws -> (ControlID, ControlRange) {
    let ranged = controls.controls.compactMap { control -> (ControlID, ControlRange)? in
      guard case .integer(let range) = control.kind, control.keepsItsValue, range.maximum < Int64(Int32.max)
      else { return nil }
      return (control.id, range)
    }
    guard let found = ranged.first(where: { $0.0 == .brightness }) ?? ranged.first else {
      throw Unsupported("\(rawValue) needs a control with a range; choose another fault or camera")
    }
    return found
  }
}
