import Video4Linux

/// The trials of all modes in the plan, each made once. The rules about formats, pace, timestamps and starts judge the same streams. If a rule
/// requests the survey a second time, it repeats its measurement, and gets new trials.
actor ModeSurvey {
  private let camera: QualifiedCamera
  private let frameCount: Int
  private var finished: Survey?
  private var served: Set<String> = []

  struct Survey: Sendable {
    /// The streamed modes, in the order of the plan.
    var streamed: [ModeProof]
    /// The results for formats that are only set.
    var onlySet: [SetProof]
  }

  struct SetProof: Sendable {
    let mode: CameraMode
    /// The flaw, as a clause. Nil if the driver accepted the mode.
    var flaw: String?
  }

  init(camera: QualifiedCamera, frameCount: Int) {
    self.camera = camera
    self.frameCount = frameCount
  }

  /// - Throws: `CancellationError`.
  func survey(for rule: String) throws -> Survey {
    if served.contains(rule) { (finished, served) = (nil, []) }
    served.insert(rule)
    if let finished { return finished }
    let streamed = try camera.plan.streamed.map {
      try ModeTrial(camera: camera, mode: $0, frameCount: frameCount).run()
    }
    let survey = Survey(streamed: streamed, onlySet: setOthers())
    finished = survey
    return survey
  }

  private func setOthers() -> [SetProof] {
    guard !camera.plan.onlySet.isEmpty else { return [] }
    do throws(VideoDeviceError) {
      let device = try camera.open()
      defer { device.close() }
      return camera.plan.onlySet.map { set($0, device) }
    } catch {
      return camera.plan.onlySet.map { SetProof(mode: $0, flaw: "\(error)") }
    }
  }

  private func set(_ mode: CameraMode, _ device: VideoDevice) -> SetProof {
    do throws(VideoDeviceError) {
      let given = try device.setFormat(VideoFormat(fourCC: mode.fourCC, size: mode.size))
      let holds = given.fourCC == mode.fourCC && given.size == mode.size
      return SetProof(mode: mode, flaw: holds ? nil : "the driver set \(given) instead")
    } catch {
      return SetProof(mode: mode, flaw: "\(error)")
    }
  }
}
